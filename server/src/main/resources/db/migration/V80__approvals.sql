-- Calls that a person must approve; their states are those of their processes.
CREATE TABLE approval (
    process_id      TEXT   NOT NULL PRIMARY KEY REFERENCES process (id) ON DELETE CASCADE,
    execution_id    TEXT,
    call_id         TEXT   NOT NULL,
    caller          TEXT ${exact} NOT NULL,
    upstream        TEXT   NOT NULL,
    tool            TEXT   NOT NULL,
    definition_hash TEXT   NOT NULL,
    arguments_hash  TEXT   NOT NULL,
    details         TEXT   NOT NULL,
    scope           TEXT,
    expires_at      BIGINT NOT NULL,
    used_at         BIGINT
);
CREATE INDEX approval_call ON approval (caller, upstream, tool);
CREATE INDEX approval_run ON approval (execution_id);
UPDATE api_key SET scopes = REPLACE(scopes, '"admin"', '"admin","approve"')
    WHERE scopes LIKE '%"admin"%' AND scopes NOT LIKE '%"approve"%';
