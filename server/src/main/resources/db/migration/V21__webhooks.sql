CREATE TABLE webhook (
    id           TEXT   NOT NULL PRIMARY KEY,
    execution_id TEXT   NOT NULL,
    owner        TEXT   NOT NULL,
    url          TEXT   NOT NULL,
    body         TEXT,
    attempts     BIGINT NOT NULL,
    due_at       BIGINT
);

CREATE INDEX webhook_due ON webhook (due_at);
CREATE INDEX webhook_execution ON webhook (execution_id);
