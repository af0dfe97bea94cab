-- Sums over the ledger: of each day, caller and tool. A tool without a name is one there was not.
CREATE TABLE usage_day (
    day             BIGINT NOT NULL,
    caller          TEXT ${exact} NOT NULL,
    tool            TEXT ${exact} NOT NULL,
    nested          BIGINT NOT NULL,
    calls           BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    denied          BIGINT NOT NULL,
    unknown         BIGINT NOT NULL,
    result_bytes    BIGINT NOT NULL,
    duration_micros BIGINT NOT NULL,
    PRIMARY KEY (day, caller, tool, nested)
);

CREATE INDEX usage_day_caller ON usage_day (caller, day);

-- The last entry that is in them.
CREATE TABLE usage_head (
    name     TEXT   NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    at       BIGINT
);

INSERT INTO usage_head (name, sequence) VALUES ('usage', 0);
