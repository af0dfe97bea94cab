package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.cli.CommandFailed;
import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.ListedExecution;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerFilter;
import dev.caisson.store.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The ledger of a whole server, and what an operator does with it.
@Tag("root")
class OfflineCommandsTest {
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}
            """;

    @TempDir Path directory;

    private final StringWriter said = new StringWriter();
    private final PrintWriter out = new PrintWriter(said);

    private Config in(String data, String... more) throws Exception {
        var settings =
                Stream.concat(
                        Stream.of(
                                "auth.enabled=false", "data.directory=" + directory.resolve(data)),
                        Stream.of(more));
        return TestProduct.config(directory, settings.toArray(String[]::new));
    }

    private Config config(String... more) throws Exception {
        return in("data", more);
    }

    private static void overStdio(Config config, String tool) throws Exception {
        overStdio(config, tool, "{}");
    }

    private static void overStdio(Config config, String tool, String arguments) throws Exception {
        try (var core = Core.open(config, Clock.systemUTC())) {
            var line = CALL.formatted(tool, arguments).getBytes(StandardCharsets.UTF_8);
            core.mcp.stdio(
                    Caller.LOCAL, new ByteArrayInputStream(line), new ByteArrayOutputStream());
        }
    }

    private static void overHttp(Config config, String tool) throws Exception {
        try (var server = Server.start(config, Clock.systemUTC());
                var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(server.address().resolve("/mcp"))
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(HttpRequest.BodyPublishers.ofString(CALL.formatted(tool, "{}")))
                            .build();
            client.send(request, BodyHandlers.ofString());
        }
    }

    private static List<String> entries(Config config) {
        try (var store = Store.open(Database.file(config.data()))) {
            return new Ledger(store)
                    .page(LedgerFilter.ALL, OptionalLong.empty(), 10).entries().stream()
                            .map(linked -> linked.entry())
                            .map(entry -> entry.door() + " " + entry.tool() + " " + entry.status())
                            .toList();
        }
    }

    @Test
    void a_call_leaves_an_entry_with_its_door_also_when_there_is_no_such_tool() throws Exception {
        overStdio(config(), "list_runners");
        overHttp(config(), "nonsense");

        assertThat(entries(config()))
                .containsExactly("mcp nonsense refused:unknown_tool", "stdio list_runners success");
    }

    @Test
    void a_run_is_recorded_and_one_that_a_dead_server_left_is_settled() throws Exception {
        overStdio(config("keep.code=false"), "sandbox_execute", "{\"code\":\"print(6 * 7)\"}");
        try (var store = Store.open(Database.file(config().data()))) {
            var records = new ExecutionRecords(store, Clock.systemUTC(), false);
            var run = records.find(Optional.empty(), runs(records).getFirst().id()).orElseThrow();
            assertThat(run.status()).isEqualTo(ExecutionStatus.SUCCESS);
            assertThat(run.code()).as("only its hash is kept").isEmpty();
            records.start("exe_left", Caller.LOCAL.id(), run.request(), "print(6 * 7)", true)
                    .awaitNoted();
        }

        overStdio(config(), "list_runners");

        try (var store = Store.open(Database.file(config().data()))) {
            assertThat(runs(new ExecutionRecords(store, Clock.systemUTC(), false)))
                    .extracting(ListedExecution::status)
                    .containsExactlyInAnyOrder(ExecutionStatus.FAILED, ExecutionStatus.SUCCESS);
        }
    }

    private static List<ListedExecution> runs(ExecutionRecords records) {
        return records.list(
                        Optional.of(Caller.LOCAL.id()), ExecutionFilter.ALL, Optional.empty(), 10)
                .executions();
    }

    @Test
    void the_ledger_can_be_switched_off() throws Exception {
        overStdio(config("ledger.enabled=false"), "list_runners");

        assertThat(entries(config())).isEmpty();
    }

    @Test
    void verify_says_what_was_changed_and_export_prints_all() throws Exception {
        overStdio(config(), "list_runners");
        assertThat(OfflineCommands.verify(config().data(), Optional.empty(), false, out)).isZero();
        assertThat(said.toString()).contains("intact: 1 entries", "Head: 1:");
        assertThat(OfflineCommands.export(config().data(), out)).isZero();
        assertThat(said.toString()).contains("\"tool\":\"list_runners\"");

        try (var store = Store.open(Database.file(config().data()))) {
            store.write(handle -> handle.execute("UPDATE ledger_entry SET tool = 'other'"));
        }

        assertThat(OfflineCommands.verify(config().data(), Optional.empty(), true, out))
                .isEqualTo(1);
        assertThat(said.toString()).contains("Entry 1 was changed.");
    }

    @Test
    void a_backup_restored_elsewhere_has_the_same_ledger() throws Exception {
        overStdio(config(), "list_runners");
        var copy = directory.resolve("copy");
        OfflineCommands.backup(config().data(), copy, Duration.ZERO, false, out);
        var elsewhere = in("elsewhere");

        OfflineCommands.restore(elsewhere.data(), copy, false, false, out);

        assertThat(entries(elsewhere)).isEqualTo(entries(config()));
        assertThat(Core.secret(elsewhere.data()))
                .hasSameBinaryContentAs(Core.secret(config().data()));
    }

    @Test
    void a_directory_without_a_database_is_not_an_empty_ledger() throws Exception {
        var data = config().data();

        assertThatThrownBy(() -> OfflineCommands.verify(data, Optional.empty(), false, out))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining("no database");
        assertThat(Database.file(data)).doesNotExist();
    }
}
