CREATE TABLE model_tx (
    number     BIGINT NOT NULL PRIMARY KEY,
    space      BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    actor      TEXT   NOT NULL,
    actor_name TEXT   NOT NULL,
    door       TEXT   NOT NULL,
    trace_id   TEXT   NOT NULL,
    reason     TEXT,
    execution  TEXT
);
CREATE INDEX model_tx_space ON model_tx (space, number);

CREATE TABLE model_class (
    number       BIGINT NOT NULL PRIMARY KEY,
    space        BIGINT NOT NULL,
    name         TEXT   NOT NULL,
    spec         TEXT   NOT NULL,
    slot_numbers TEXT   NOT NULL,
    UNIQUE (space, name)
);

CREATE TABLE model_version (
    space    BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    tx       BIGINT NOT NULL,
    plan     TEXT   NOT NULL,
    PRIMARY KEY (space, revision)
);
