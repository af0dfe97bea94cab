CREATE TABLE api_key (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    secret_hash TEXT   NOT NULL,
    scopes      TEXT   NOT NULL,
    toolsets    TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT,
    revoked_at  BIGINT
);

CREATE TABLE process (
    id          TEXT   NOT NULL PRIMARY KEY,
    definition  TEXT   NOT NULL,
    owner       TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    data        TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    keep_millis BIGINT,
    ended_at    BIGINT
);

CREATE INDEX process_unfinished ON process (created_at, id) WHERE ended_at IS NULL;
CREATE INDEX process_forgettable ON process (created_at)
    WHERE ended_at IS NOT NULL AND keep_millis IS NOT NULL;

CREATE TABLE process_history (
    process_id TEXT   NOT NULL REFERENCES process (id) ON DELETE CASCADE,
    step       BIGINT NOT NULL,
    from_state TEXT,
    to_state   TEXT   NOT NULL,
    actor      TEXT   NOT NULL,
    reason     TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (process_id, step)
);
