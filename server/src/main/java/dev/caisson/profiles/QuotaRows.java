package dev.caisson.profiles;

import dev.caisson.store.Transaction;
import java.util.Optional;

/// SQL statements on used quotas: one row for each caller and quota, of the newest period.
final class QuotaRows {
    private QuotaRows() {}

    /// Adds to what was used in a period. What belongs to a period that is over is left out.
    static void add(Transaction handle, String caller, Quota quota, long period, long used) {
        handle.update(
                        """
                        INSERT INTO quota_use (caller, quota, period, used)
                        VALUES (:caller, :quota, :period, :used)
                        ON CONFLICT (caller, quota) DO UPDATE
                        SET used = CASE
                                WHEN quota_use.period = excluded.period
                                    THEN quota_use.used + excluded.used
                                WHEN quota_use.period < excluded.period THEN excluded.used
                                ELSE quota_use.used END,
                            period = CASE
                                WHEN quota_use.period < excluded.period THEN excluded.period
                                ELSE quota_use.period END
                        """)
                .bind("caller", caller)
                .bind("quota", quota.word())
                .bind("period", period)
                .bind("used", used)
                .execute();
    }

    /// What was used in a period, by all servers.
    static long used(Transaction handle, String caller, Quota quota, long period) {
        Optional<Long> used =
                handle.query(
                                """
                                SELECT used FROM quota_use
                                WHERE caller = :caller AND quota = :quota AND period = :period
                                """)
                        .bind("caller", caller)
                        .bind("quota", quota.word())
                        .bind("period", period)
                        .mapTo(Long.class)
                        .findOne();
        return used.orElse(0L);
    }

    /// @return how many were removed
    static int removeBefore(Transaction handle, long period) {
        return handle.update("DELETE FROM quota_use WHERE period < :period")
                .bind("period", period)
                .execute();
    }
}
