CREATE TABLE profile (
    name       TEXT   NOT NULL PRIMARY KEY,
    settings   TEXT   NOT NULL,
    changed_at BIGINT NOT NULL,
    revision   BIGINT NOT NULL
);

ALTER TABLE api_key ADD COLUMN profile TEXT NOT NULL DEFAULT 'default';
ALTER TABLE api_key ADD COLUMN env_vars TEXT NOT NULL DEFAULT '{}';
ALTER TABLE api_key ADD COLUMN secret_env_vars TEXT NOT NULL DEFAULT '{}';

CREATE TABLE quota_use (
    caller TEXT   NOT NULL,
    quota  TEXT   NOT NULL,
    period BIGINT NOT NULL,
    used   BIGINT NOT NULL,
    PRIMARY KEY (caller, quota)
);
