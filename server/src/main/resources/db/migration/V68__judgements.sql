ALTER TABLE ledger_entry ADD COLUMN policy TEXT;
ALTER TABLE ledger_entry ADD COLUMN rule TEXT;
ALTER TABLE tool_call ADD COLUMN protocol_name TEXT;
ALTER TABLE tool_call ADD COLUMN door TEXT;
ALTER TABLE tool_call ADD COLUMN trusted BIGINT;
ALTER TABLE tool_call ADD COLUMN policy TEXT;
ALTER TABLE tool_call ADD COLUMN rule TEXT;
