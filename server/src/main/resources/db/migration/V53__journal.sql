CREATE TABLE journal (
    name   TEXT   NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
);

ALTER TABLE execution ADD COLUMN output BYTEA;
CREATE INDEX execution_output ON execution (process_id) WHERE output IS NOT NULL;
