"""Copies one finished execution until a database has as many as wanted.

fill.py DATABASE COUNT

Every row of every table that names the execution is copied under another id. Ids are ordered by
time, as the product makes them: later copies are later. Each copy has its entry in the ledger,
linked to the one before, and the sums over the ledger count as made.
"""

import hashlib
import secrets
import sqlite3
import sys

MILLIS_APART = 25

database, wanted = sys.argv[1], int(sys.argv[2])
db = sqlite3.connect(database, isolation_level=None)
db.execute("PRAGMA foreign_keys = OFF")
db.execute("PRAGMA synchronous = OFF")
db.execute("PRAGMA cache_size = -200000")
template, ended = db.execute(
    "SELECT process_id, ended_at FROM execution JOIN process ON process.id = process_id "
    "WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, process_id DESC LIMIT 1").fetchone()
there = db.execute("SELECT COUNT(*) FROM execution").fetchone()[0]
tables = [name for (name,) in db.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
    "AND name NOT LIKE 'ledger%' AND name NOT LIKE 'usage%' AND name NOT LIKE 'flyway%'")]
prefix = template.split("_")[0]


def columns(table):
    return [(row[1], row[2].upper() == "INTEGER" and row[5]) for row in db.execute(f'PRAGMA table_info("{table}")')]


def statement(table, names):
    return f'INSERT INTO "{table}" ({", ".join(names)}) VALUES ({", ".join("?" * len(names))})'


def copies(table):
    """The statement, its columns and the rows that name the template, if the table has any."""
    # A number that the database gives is left to it.
    names = [name for name, given in columns(table) if not given]
    rows = [row for row in db.execute(f'SELECT {", ".join(names)} FROM "{table}"') if template in row]
    return statement(table, names), names, rows


def field(value):
    if value is None:
        return b"-"
    text = str(value).encode()
    return b"%d:%s" % (len(text), text)


def encoded(entry):
    """What the hash of an entry of the ledger is made of, see EntryEncoding."""
    always = ("at", "caller", "door", "tool", "arguments_hash", "code_hash", "result_bytes", "status",
              "duration_micros", "approval", "redactions", "trace_id")
    subject = ["execution_id", "metadata_hash", "key_id"]
    if entry["policy"] is not None:
        subject += ["execution", "policy", "rule"]
    elif entry["execution"] is not None:
        subject += ["execution"]
    if all(entry[name] is None for name in subject):
        subject = []
    return b"".join(field(entry[name]) for name in (*always, *subject))


ledger = [name for name, _ in columns("ledger_entry")]
found = db.execute(f'SELECT {", ".join(ledger)} FROM ledger_entry WHERE execution_id = ?', (template,)).fetchone()
if found is None:
    sys.exit("the ledger has no entry of " + template)
entry = dict(zip(ledger, found))
sequence, previous = db.execute("SELECT sequence, hash FROM ledger_head WHERE name = 'ledger'").fetchone()
sources = [source for source in map(copies, tables) if source[2]]
record = statement("ledger_entry", ledger)


def renewed(name, value, earlier, new):
    if value == template:
        return new
    if name.endswith("_at") and isinstance(value, int):
        return value - earlier
    return value


db.execute("BEGIN")
for number in range(there, wanted):
    earlier = (wanted - number) * MILLIS_APART
    new = f"{prefix}_{ended - earlier:012x}{secrets.token_hex(10)}"
    for insert, names, rows in sources:
        for row in rows:
            db.execute(insert, [renewed(name, value, earlier, new) for name, value in zip(names, row)])
    sequence += 1
    linked = entry | {"at": entry["at"] - earlier, "execution_id": new, "sequence": sequence, "previous_hash": previous}
    previous = hashlib.sha256(field(previous) + encoded(linked)).hexdigest()
    db.execute(record, [*(linked | {"hash": previous}).values()])
db.execute("UPDATE ledger_head SET sequence = ?, hash = ? WHERE name = 'ledger'", (sequence, previous))
db.execute("UPDATE usage_head SET sequence = ?, at = ? WHERE name = 'usage'", (sequence, entry["at"]))
db.execute("COMMIT")
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
