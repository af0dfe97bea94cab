-- What the programs of a key may reach.
ALTER TABLE api_key ADD COLUMN network TEXT NOT NULL DEFAULT '{"allow":[]}';

-- What programs asked of the network, by host, port and what became of it.
CREATE TABLE network_use (
    execution_id TEXT   NOT NULL REFERENCES process (id) ON DELETE CASCADE,
    host         TEXT ${exact} NOT NULL,
    port         BIGINT NOT NULL,
    verdict      TEXT   NOT NULL,
    requests     BIGINT NOT NULL,
    sent         BIGINT NOT NULL,
    received     BIGINT NOT NULL,
    first_at     BIGINT NOT NULL,
    last_at      BIGINT NOT NULL
);

CREATE INDEX network_use_execution ON network_use (execution_id);
CREATE INDEX network_use_host ON network_use (host, last_at);
