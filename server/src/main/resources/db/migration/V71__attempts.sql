-- Failures in a row of the programs by which a caller tries to do one thing.
CREATE TABLE attempt (
    caller     TEXT ${exact} NOT NULL,
    task       TEXT ${exact} NOT NULL,
    failures   BIGINT NOT NULL,
    executions TEXT   NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (caller, task)
);

CREATE INDEX attempt_updated ON attempt (updated_at);
