"""Copies one finished execution until a database has as many as wanted.

fill.py DATABASE COUNT

Every row of every table that names the execution is copied with another id, an instant earlier.
"""

import secrets
import sqlite3
import sys

database, wanted = sys.argv[1], int(sys.argv[2])
db = sqlite3.connect(database, isolation_level=None)
db.execute("PRAGMA foreign_keys = OFF")
db.execute("PRAGMA synchronous = OFF")
template = db.execute(
    "SELECT process_id FROM execution JOIN process ON process.id = process_id "
    "WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1").fetchone()[0]
there = db.execute("SELECT COUNT(*) FROM execution").fetchone()[0]
tables = [name for (name,) in db.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
    "AND name NOT LIKE 'ledger%' AND name NOT LIKE 'flyway%'")]


def copies(table):
    """The statement and the rows that name the template, if the table has any."""
    columns = db.execute(f'PRAGMA table_info("{table}")').fetchall()
    names = [column[1] for column in columns]
    # A number that the database gives is left to it.
    given = [column[1] for column in columns if column[5] and column[2].upper() == "INTEGER"]
    kept = [name for name in names if name not in given]
    rows = [row for row in db.execute(f'SELECT {", ".join(kept)} FROM "{table}"') if template in row]
    marks = ", ".join("?" * len(kept))
    return f'INSERT INTO "{table}" ({", ".join(kept)}) VALUES ({marks})', kept, rows


sources = [source for source in map(copies, tables) if source[2]]
prefix, length = template.split("_")[0], len(template.split("_")[1])


def renewed(name, value, number, new):
    if value == template:
        return new
    if name.endswith("_at") and isinstance(value, int):
        return value - number
    return value


db.execute("BEGIN")
for number in range(there, wanted):
    new = f"{prefix}_{secrets.token_hex(length // 2)}"
    for statement, names, rows in sources:
        for row in rows:
            db.execute(statement, [renewed(name, value, number, new) for name, value in zip(names, row)])
db.execute("COMMIT")
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
