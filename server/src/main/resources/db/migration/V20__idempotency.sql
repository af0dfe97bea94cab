CREATE TABLE idempotency (
    owner           TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    digest          TEXT   NOT NULL,
    trace_id        TEXT   NOT NULL,
    execution_id    TEXT,
    status          BIGINT,
    body            TEXT,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (owner, idempotency_key)
);

CREATE INDEX idempotency_age ON idempotency (created_at);
