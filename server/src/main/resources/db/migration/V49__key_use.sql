CREATE TABLE key_use (
    key_id       TEXT   NOT NULL PRIMARY KEY,
    last_used_at BIGINT NOT NULL
);
