package dev.caisson.store;

/// SQL statements on what the database has of journals.
final class JournalRows {
    private JournalRows() {}

    /// Notes that all records of a journal up to this number are here.
    static void settle(Transaction handle, String journal, long number) {
        handle.update(
                        """
                        INSERT INTO journal (name, number) VALUES (:name, :number)
                        ON CONFLICT (name) DO UPDATE SET number = excluded.number
                        """)
                .bind("name", journal)
                .bind("number", number)
                .execute();
    }

    static long settled(Transaction handle, String journal) {
        return handle.query("SELECT number FROM journal WHERE name = :name")
                .bind("name", journal)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    static int forget(Transaction handle, String journal) {
        return handle.execute("DELETE FROM journal WHERE name = ?", journal);
    }
}
