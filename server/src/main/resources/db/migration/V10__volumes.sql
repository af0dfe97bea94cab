CREATE TABLE volume (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL UNIQUE,
    owner      TEXT   NOT NULL,
    owner_name TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX volume_owner ON volume (owner, name);

CREATE TABLE volume_grant (
    volume_id TEXT NOT NULL REFERENCES volume (id) ON DELETE CASCADE,
    caller    TEXT NOT NULL,
    access    TEXT NOT NULL,
    PRIMARY KEY (volume_id, caller)
);

CREATE INDEX volume_grant_caller ON volume_grant (caller);
