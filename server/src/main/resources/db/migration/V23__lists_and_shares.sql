CREATE TABLE execution_line (
    process_id  TEXT   NOT NULL PRIMARY KEY REFERENCES process (id) ON DELETE CASCADE,
    trace_id    TEXT   NOT NULL,
    thread      TEXT,
    language    TEXT   NOT NULL,
    delivery    TEXT,
    preview     TEXT,
    ended_at    BIGINT,
    exit_code   BIGINT,
    wall_millis BIGINT
);

INSERT INTO execution_line (process_id, trace_id, thread, language, preview, ended_at)
SELECT e.process_id, e.trace_id, e.thread, e.language, e.preview, p.ended_at
FROM execution e JOIN process p ON p.id = e.process_id;

CREATE INDEX execution_line_unread ON execution_line (process_id) WHERE delivery IS NULL;
CREATE INDEX process_ended_owned ON process (owner, definition, ended_at, id)
    WHERE ended_at IS NOT NULL;

ALTER TABLE process ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE process SET bytes = LENGTH(data) WHERE definition = 'task';
CREATE INDEX process_task ON process (owner, ended_at, bytes, id)
    WHERE definition = 'task' AND ended_at IS NOT NULL;
ALTER TABLE idempotency ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE idempotency SET bytes = LENGTH(body)
    WHERE body IS NOT NULL AND status < 400 AND execution_id IS NOT NULL;
CREATE INDEX idempotency_owned ON idempotency (owner, created_at, bytes);
ALTER TABLE webhook ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE webhook SET bytes = LENGTH(body) WHERE body IS NOT NULL;
CREATE INDEX webhook_owned ON webhook (owner, due_at, bytes);
