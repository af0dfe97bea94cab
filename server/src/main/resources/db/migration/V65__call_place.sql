ALTER TABLE tool_call ADD COLUMN at_file TEXT;
ALTER TABLE tool_call ADD COLUMN at_line BIGINT;
