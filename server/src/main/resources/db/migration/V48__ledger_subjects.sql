ALTER TABLE ledger_entry ADD COLUMN execution_id TEXT;
ALTER TABLE ledger_entry ADD COLUMN metadata_hash TEXT;
ALTER TABLE ledger_entry ADD COLUMN key_id TEXT;
