CREATE TABLE secret (
    name       TEXT   NOT NULL PRIMARY KEY,
    key_id     TEXT   NOT NULL,
    nonce      TEXT   NOT NULL,
    value      TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);
