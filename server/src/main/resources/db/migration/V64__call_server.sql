-- The server that a call is under way in: one that is gone will not end it.
ALTER TABLE tool_call ADD COLUMN server TEXT;
