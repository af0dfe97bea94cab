CREATE TABLE owned_volume (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    owner      TEXT   NOT NULL,
    owner_name TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (owner, name)
);

INSERT INTO owned_volume (id, name, owner, owner_name, created_at)
SELECT id, name, owner, owner_name, created_at FROM volume;

CREATE TABLE owned_volume_grant (
    volume_id  TEXT   NOT NULL REFERENCES owned_volume (id) ON DELETE CASCADE,
    caller     TEXT   NOT NULL,
    access     TEXT   NOT NULL,
    granted_at BIGINT NOT NULL,
    PRIMARY KEY (volume_id, caller)
);

INSERT INTO owned_volume_grant (volume_id, caller, access, granted_at)
SELECT volume_id, caller, access, 0 FROM volume_grant;

DROP TABLE volume_grant;
DROP TABLE volume;

ALTER TABLE owned_volume RENAME TO volume;
ALTER TABLE owned_volume_grant RENAME TO volume_grant;

CREATE INDEX volume_grant_caller ON volume_grant (caller);
