package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.sandbox.SettingsForTests;
import dev.caisson.session.SessionLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs that have programs run, by a server that is a client here too, cannot wait for each
/// other for ever, however few places there are.
@Tag("root")
@Timeout(180)
class NestedRunsTest {
    /// One caller gets its part of them and no more.
    private static final int PLACES = 4;

    private static final Duration QUEUE = Duration.ofSeconds(2);

    /// How deep programs have programs run: more than there are places.
    private static final int DEPTH = 6;

    private static final int TREES = 3;

    @TempDir Path root;
    private Sandboxes sandboxes;
    private ToolBench bench;
    private final ConcurrentLinkedQueue<Refusal> refused = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void open() throws Exception {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        sandboxes =
                Sandboxes.open(
                        new SettingsForTests(
                                        root.resolve("sandboxes"),
                                        Path.of("target/guests").toAbsolutePath())
                                .places(PLACES)
                                .waiting(100, QUEUE)
                                .build());
        var files = Files.createDirectory(root.resolve("data"));
        bench =
                new ToolBench(
                        files,
                        sandboxes,
                        RealToolsTestCase.maker(files),
                        Profile.DEFAULT,
                        SessionLimits.DEFAULT,
                        List.of(agent()),
                        _ -> {});
    }

    @AfterEach
    void close() {
        bench.sessions.close();
        sandboxes.close();
    }

    /// A server whose tool runs a program here, as any client does.
    private Tool agent() {
        var spec =
                ToolSpec.named("agent__run", "Run", "Runs a program elsewhere.")
                        .taking(Json.object().put("type", "object"))
                        .hinted(ToolSpec.Hints.READS)
                        .from(
                                new ToolOrigin(
                                        "agent", "run", "run", "run", "", ToolEffect.READ, true))
                        .build();
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
                try {
                    return ToolResult.structured(run(arguments.path("depth").intValue()));
                } catch (Refusal refusal) {
                    refused.add(refusal);
                    throw refusal;
                }
            }
        };
    }

    private JsonNode run(int depth) throws InterruptedException {
        var program =
                depth == 0
                        ? "result = 0"
                        : "from caisson.servers import agent\n"
                                + "below = agent.run.result(depth=%d)\n".formatted(depth - 1)
                                + "result = below.get('data', {}).get('result', {}).get('data', -1) + 1"
                                + " if below['ok'] else below['error']['type']";
        var arguments = Json.object().put("language", "python").put("code", program);
        return bench.broker
                .call(FakeCall.by(Caller.LOCAL), SandboxExecute.NAME, arguments)
                .structured()
                .orElseThrow();
    }

    private static String said(JsonNode answer) {
        return answer.path("result").path("data").asString("");
    }

    @Test
    void a_program_cannot_run_another_itself() throws Exception {
        var arguments =
                Json.object()
                        .put("language", "python")
                        .put(
                                "code",
                                """
                                import caisson
                                own = caisson.servers.caisson
                                result = [getattr(own, name).result({"code": "1"})["error"]["type"]
                                    for name in ("sandbox_execute", "run_code", "tool_call")]
                                """);
        var answer =
                bench.broker
                        .call(FakeCall.by(Caller.LOCAL), SandboxExecute.NAME, arguments)
                        .structured()
                        .orElseThrow();
        assertThat(answer.path("result").path("data").valueStream().map(JsonNode::stringValue))
                .as(Json.text(answer))
                .containsExactly("UnknownTool", "UnknownTool", "UnknownTool");
    }

    @Test
    void a_tree_that_fits_is_answered_whole() throws Exception {
        assertThat(said(run(1))).isEqualTo("1");
        assertThat(refused).isEmpty();
    }

    @Test
    void trees_with_more_runs_than_places_end_and_leave_every_place() throws Exception {
        List<Future<JsonNode>> trees;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            trees = new ArrayList<>();
            for (int tree = 0; tree < TREES; tree++) {
                Callable<JsonNode> whole = () -> run(DEPTH);
                trees.add(threads.submit(whole));
            }
        }
        int whole = 0;
        for (var tree : trees) {
            try {
                var answer = tree.get();
                assertThat(answer.path("status").stringValue()).isEqualTo("success");
                whole++;
            } catch (ExecutionException full) {
                assertThat(full)
                        .cause()
                        .isInstanceOfSatisfying(
                                Refusal.class,
                                refusal -> assertThat(refusal.isRetryable()).isTrue());
            }
        }
        assertThat(whole).isPositive();
        assertThat(refused)
                .as("whoever found no place")
                .isNotEmpty()
                .allSatisfy(refusal -> {
                    assertThat(refusal.type()).isEqualTo(ToolErrorType.NO_CAPACITY);
                    assertThat(refusal.isRetryable()).isTrue();
                });
        assertThat(said(run(1))).as("all places are free again").isEqualTo("1");
    }
}
