CREATE TABLE server (
    id        TEXT   NOT NULL PRIMARY KEY,
    directory TEXT   NOT NULL,
    beat      BIGINT NOT NULL
);

ALTER TABLE process ADD COLUMN server TEXT;
ALTER TABLE idempotency ADD COLUMN server TEXT;
ALTER TABLE webhook ADD COLUMN server TEXT;
