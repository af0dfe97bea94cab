CREATE TABLE tool_call (
    id              TEXT   NOT NULL PRIMARY KEY,
    execution_id    TEXT,
    number          BIGINT NOT NULL,
    caller          TEXT   NOT NULL,
    upstream        TEXT   NOT NULL,
    tool            TEXT   NOT NULL,
    hash            TEXT   NOT NULL,
    arguments_hash  TEXT   NOT NULL,
    arguments       TEXT,
    state           TEXT   NOT NULL,
    effect          TEXT   NOT NULL,
    failed          BIGINT,
    error           TEXT,
    result          TEXT,
    argument_bytes  BIGINT NOT NULL,
    result_bytes    BIGINT,
    kept_bytes      BIGINT NOT NULL,
    began_at        BIGINT NOT NULL,
    duration_micros BIGINT
);

CREATE INDEX tool_call_execution ON tool_call (execution_id, number);
CREATE INDEX tool_call_began ON tool_call (began_at, id);
CREATE INDEX tool_call_unsettled ON tool_call (state, began_at) WHERE state = 'intended';
