CREATE TABLE execution (
    process_id TEXT   NOT NULL PRIMARY KEY REFERENCES process (id) ON DELETE CASCADE,
    trace_id   TEXT   NOT NULL,
    thread     TEXT,
    language   TEXT   NOT NULL,
    bytes      BIGINT NOT NULL,
    request    TEXT   NOT NULL,
    preview    TEXT,
    code       TEXT
);

CREATE INDEX execution_trace ON execution (trace_id);
CREATE INDEX process_owned ON process (owner, definition, created_at, id);
CREATE INDEX process_made ON process (definition, created_at, id);
CREATE INDEX process_ended ON process (definition, ended_at, id) WHERE ended_at IS NOT NULL;
