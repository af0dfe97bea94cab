-- Who found out what became of a call of which nobody knew: how (person, retry or check), and whom or which tool.
ALTER TABLE tool_call ADD COLUMN reconciled_how TEXT;
ALTER TABLE tool_call ADD COLUMN reconciled_by TEXT;
ALTER TABLE tool_call ADD COLUMN reconciled_at BIGINT;
CREATE INDEX tool_call_unknown ON tool_call (began_at, id) WHERE state = 'unknown';
