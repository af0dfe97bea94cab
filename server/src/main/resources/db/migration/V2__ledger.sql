CREATE TABLE ledger_entry (
    sequence        BIGINT NOT NULL PRIMARY KEY,
    at              BIGINT NOT NULL,
    caller          TEXT   NOT NULL,
    door            TEXT   NOT NULL,
    tool            TEXT   NOT NULL,
    arguments_hash  TEXT   NOT NULL,
    code_hash       TEXT,
    result_bytes    BIGINT NOT NULL,
    status          TEXT   NOT NULL,
    duration_micros BIGINT NOT NULL,
    approval        TEXT,
    redactions      BIGINT NOT NULL,
    trace_id        TEXT   NOT NULL,
    previous_hash   TEXT   NOT NULL,
    hash            TEXT   NOT NULL
);

CREATE INDEX ledger_entry_caller ON ledger_entry (caller, sequence);

CREATE TABLE ledger_head (
    name     TEXT   NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    hash     TEXT   NOT NULL
);

INSERT INTO ledger_head (name, sequence, hash)
VALUES ('ledger', 0, '0000000000000000000000000000000000000000000000000000000000000000');

CREATE TABLE ledger_pending (
    name   TEXT   NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL
);
