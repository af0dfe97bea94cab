ALTER TABLE api_key ADD COLUMN first_used_at BIGINT;
ALTER TABLE api_key ADD COLUMN strict_params BIGINT NOT NULL DEFAULT 0;

UPDATE api_key
SET first_used_at = (SELECT MIN(at) FROM ledger_entry WHERE caller = 'key:' || api_key.id);
