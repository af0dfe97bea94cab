package dev.caisson.executions;

import dev.caisson.store.Transaction;
import java.time.Instant;

/// SQL statements on what runs asked of the network: by host, for as long as the execution is kept.
final class NetworkRows {
    private NetworkRows() {}

    static void insert(Transaction handle, String id, Completion completion) {
        completion.said().network().ifPresent(uses -> uses.forEach(use -> insert(handle, id, use)));
    }

    private static void insert(Transaction handle, String id, NetworkUse use) {
        handle.update(
                        """
                        INSERT INTO network_use (execution_id, host, port, verdict, requests,
                            sent, received, first_at, last_at)
                        VALUES (:id, :host, :port, :verdict, :requests, :sent, :received, :first,
                            :last)
                        """)
                .bind("id", id)
                .bind("host", use.host())
                .bind("port", (long) use.port())
                .bind("verdict", use.verdict())
                .bind("requests", use.requests())
                .bind("sent", use.sent())
                .bind("received", use.received())
                .bind("first", Instant.parse(use.firstAt()).toEpochMilli())
                .bind("last", Instant.parse(use.lastAt()).toEpochMilli())
                .execute();
    }
}
