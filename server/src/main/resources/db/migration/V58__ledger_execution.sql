ALTER TABLE ledger_entry ADD COLUMN execution TEXT;
