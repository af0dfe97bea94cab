package dev.caisson.ledger;

import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.call.Judgement;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.Asked;
import dev.caisson.ledger.UpstreamCall.Reconciliation;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// SQL statements on calls of tools of other servers.
final class UpstreamCallRows {
    /// How many rows go at a time.
    private static final int BATCH = 200;

    private UpstreamCallRows() {}

    /// Writes a call, or how one that was written before it began has ended.
    ///
    /// @param server that it is under way in
    static void put(Transaction handle, UpstreamCall call, Optional<String> server) {
        put(
                handle,
                call,
                server,
                """
                ON CONFLICT (id) DO UPDATE
                SET state = excluded.state, failed = excluded.failed,
                    error = excluded.error, result = excluded.result,
                    result_bytes = excluded.result_bytes, kept_bytes = excluded.kept_bytes,
                    duration_micros = excluded.duration_micros
                """);
    }

    /// Writes what became of a call whose server is gone. One that ended after all stays as it did.
    static void settle(Transaction handle, UpstreamCall call) {
        put(
                handle,
                call,
                Optional.empty(),
                """
                ON CONFLICT (id) DO UPDATE
                SET state = excluded.state, failed = excluded.failed, error = excluded.error
                WHERE tool_call.state IN ('intended', 'unknown') AND tool_call.failed IS NULL
                    AND tool_call.reconciled_at IS NULL
                """);
    }

    /// @param known what is done with a call that is there
    private static void put(
            Transaction handle, UpstreamCall call, Optional<String> server, String known) {
        var arguments = call.arguments().map(Json::text);
        var result = call.result().map(Json::text);
        long kept =
                (long) arguments.map(String::length).orElse(0)
                        + result.map(String::length).orElse(0);
        handle.update(
                        """
                        INSERT INTO tool_call
                            (id, execution_id, number, at_file, at_line, caller, upstream, tool, hash,
                             arguments_hash, arguments, state, effect, failed, error, result,
                             argument_bytes, result_bytes, kept_bytes, began_at, duration_micros,
                             protocol_name, door, trusted, policy, rule, server)
                        VALUES (:id, :execution, :number, :file, :line, :caller, :upstream, :tool, :hash,
                             :argumentsHash, :arguments, :state, :effect, :failed, :error, :result,
                             :argumentBytes, :resultBytes, :kept, :began, :micros,
                             :protocolName, :door, :trusted, :policy, :rule, :server)
                        """
                                + known)
                .bind("id", call.id())
                .bind("execution", call.executionId())
                .bind("number", call.number())
                .bind("file", call.at().map(CodePlace::file))
                .bind("line", call.at().map(at -> (long) at.line()))
                .bind("caller", call.caller())
                .bind("upstream", call.upstream())
                .bind("tool", call.tool())
                .bind("hash", call.hash())
                .bind("argumentsHash", call.argumentsHash())
                .bind("arguments", arguments)
                .bind("state", call.state().word())
                .bind("server", server)
                .bind("effect", call.effect())
                .bind("failed", call.failed().map(failed -> failed ? 1L : 0L))
                .bind("error", call.error())
                .bind("result", result)
                .bind("argumentBytes", call.argumentBytes())
                .bind("resultBytes", boxed(call.resultBytes()))
                .bind("kept", kept)
                .bind("began", call.began().toEpochMilli())
                .bind("micros", boxed(call.durationMicros()))
                .bind("protocolName", call.asked().map(Asked::protocolName))
                .bind("door", call.asked().map(asked -> asked.door().word()))
                .bind("trusted", call.asked().map(asked -> asked.trusted() ? 1L : 0L))
                .bind("policy", call.asked().flatMap(Asked::judgement).map(Judgement::policy))
                .bind("rule", call.asked().flatMap(Asked::judgement).map(Judgement::rule))
                .execute();
    }

    private static Optional<Long> boxed(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    /// The next calls of an execution, in the order in which they were made, as many as are not
    /// more than that together, but one at least.
    static List<UpstreamCall> after(
            Transaction handle, String executionId, long number, int limit, long bytesMax) {
        List<long[]> sizes =
                handle.query(
                                """
                                SELECT number, kept_bytes FROM tool_call
                                WHERE execution_id = :id AND number > :after
                                ORDER BY number LIMIT :limit
                                """)
                        .bind("id", executionId)
                        .bind("after", number)
                        .bind("limit", limit)
                        .map(row -> new long[] {row.getLong("number"), row.getLong("kept_bytes")})
                        .list();
        long last = number;
        long bytes = 0;
        for (var size : sizes) {
            bytes += size[1];
            if (last != number && bytes > bytesMax) {
                break;
            }
            last = size[0];
        }
        return handle.query(
                        """
                        SELECT * FROM tool_call
                        WHERE execution_id = :id AND number > :after AND number <= :last
                        ORDER BY number
                        """)
                .bind("id", executionId)
                .bind("after", number)
                .bind("last", last)
                .map(row -> call(row))
                .list();
    }

    static UpstreamCall call(ResultSet row) throws SQLException {
        var failed = row.getString("failed");
        return new UpstreamCall(
                row.getString("id"),
                Optional.ofNullable(row.getString("execution_id")),
                row.getLong("number"),
                place(row),
                row.getString("caller"),
                row.getString("upstream"),
                row.getString("tool"),
                row.getString("hash"),
                row.getString("arguments_hash"),
                json(row.getString("arguments")),
                State.of(row.getString("state")),
                row.getString("effect"),
                Optional.ofNullable(failed).map(text -> !text.equals("0")),
                Optional.ofNullable(row.getString("error")),
                json(row.getString("result")),
                row.getLong("argument_bytes"),
                number(row, "result_bytes"),
                Instant.ofEpochMilli(row.getLong("began_at")),
                number(row, "duration_micros"),
                asked(row),
                reconciled(row));
    }

    private static Optional<Reconciliation> reconciled(ResultSet row) throws SQLException {
        var how = row.getString("reconciled_how");
        return how == null
                ? Optional.empty()
                : Optional.of(
                        new Reconciliation(
                                Reconciliation.How.of(how),
                                row.getString("reconciled_by"),
                                Instant.ofEpochMilli(row.getLong("reconciled_at"))));
    }

    private static Optional<Asked> asked(ResultSet row) throws SQLException {
        var name = row.getString("protocol_name");
        var policy = row.getString("policy");
        var rule = row.getString("rule");
        return name == null
                ? Optional.empty()
                : Optional.of(
                        new Asked(
                                name,
                                Door.ofWord(row.getString("door")),
                                row.getLong("trusted") != 0,
                                rule == null
                                        ? Optional.empty()
                                        : Optional.of(new Judgement(policy, rule))));
    }

    /// Calls that began since, the newest first.
    static List<UpstreamCall> since(
            Transaction handle, Instant since, Optional<UpstreamCall> before, int limit) {
        return handle.query(
                        """
                        SELECT * FROM tool_call
                        WHERE began_at >= :since AND (began_at < :began
                            OR (began_at = :began AND id < :id))
                        ORDER BY began_at DESC, id DESC LIMIT :limit
                        """)
                .bind("since", since.toEpochMilli())
                .bind(
                        "began",
                        before.map(call -> call.began().toEpochMilli()).orElse(Long.MAX_VALUE))
                .bind("id", before.map(UpstreamCall::id).orElse(""))
                .bind("limit", limit)
                .map(row -> call(row))
                .list();
    }

    private static Optional<CodePlace> place(ResultSet row) throws SQLException {
        var file = row.getString("at_file");
        return file == null ? Optional.empty() : CodePlace.said(file, row.getLong("at_line"));
    }

    private static Optional<JsonNode> json(@Nullable String text) {
        return Optional.ofNullable(text).map(Json::parse);
    }

    private static OptionalLong number(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /// Nobody knows what became of calls that were under way in servers that are gone, and that are
    /// not in a file of [Intents].
    ///
    /// @return of how many
    static int settleAbandoned(Transaction handle) {
        return handle.update(
                        """
                        UPDATE tool_call SET state = 'unknown', error = 'stopped'
                        WHERE state = 'intended' AND NOT EXISTS (SELECT 1 FROM server
                            WHERE server.id = tool_call.server)
                        """)
                .execute();
    }

    /// The same of calls that began so long ago that no server can have them under way.
    static int settle(Transaction handle, Instant before) {
        return handle.update(
                        "UPDATE tool_call SET state = 'unknown', error = 'stopped'"
                                + " WHERE state = 'intended' AND began_at < :before")
                .bind("before", before.toEpochMilli())
                .execute();
    }

    /// Calls of executions that are not kept any more, made before that moment.
    static int deleteLeft(Transaction handle, Instant before) {
        return handle.update(
                        """
                        DELETE FROM tool_call
                        WHERE execution_id IS NOT NULL AND began_at < :before
                            AND NOT EXISTS (SELECT 1 FROM process WHERE id = execution_id)
                        """)
                .bind("before", before.toEpochMilli())
                .execute();
    }

    static int deleteDirect(Transaction handle, Instant before) {
        return handle.update(
                        "DELETE FROM tool_call"
                                + " WHERE execution_id IS NULL AND began_at < :before")
                .bind("before", before.toEpochMilli())
                .execute();
    }

    static long keptBytes(Transaction handle) {
        return handle.query("SELECT COALESCE(SUM(kept_bytes), 0) FROM tool_call")
                .mapTo(Long.class)
                .one();
    }

    /// The oldest go without their arguments and results.
    ///
    /// @return how many bytes less are kept
    static long emptyOldest(Transaction handle, long excess) {
        List<String> ids = new ArrayList<>();
        long freed = 0;
        List<Map.Entry<String, Long>> oldest =
                handle.query(
                                """
                                SELECT id, kept_bytes FROM tool_call WHERE kept_bytes > 0
                                ORDER BY began_at, id LIMIT :batch
                                """)
                        .bind("batch", BATCH)
                        .map(row -> Map.entry(row.getString("id"), row.getLong("kept_bytes")))
                        .list();
        for (var row : oldest) {
            if (freed >= excess) {
                break;
            }
            ids.add(row.getKey());
            freed += row.getValue();
        }
        handle.executeEach(
                "UPDATE tool_call SET arguments = NULL, result = NULL, kept_bytes = 0"
                        + " WHERE id = :id",
                "id",
                ids);
        return freed;
    }
}
