package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.structured;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.runs.RunEnvironment;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a caller gives a run in confidence.
class RunSecretsTest extends ToolsTestCase {
    private static final String SECRET = "opensesame42";

    RunSecretsTest() {
        super(Language.PYTHON);
    }

    private ToolResult call(ObjectNode arguments) throws InterruptedException {
        return bench.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments);
    }

    private static ObjectNode with(String name, String value) {
        var arguments = Json.object().put("code", "x");
        arguments.putObject("env_vars").put(name, value);
        return arguments;
    }

    private static String all(ToolResult result) {
        return result.content() + Json.text(structured(result)) + Json.text(report(result));
    }

    @Test
    void what_the_caller_names_is_secret_whatever_its_name() throws Exception {
        runs.prints("it is " + SECRET, SECRET, FakeRuns.SUCCESS);
        var arguments = with("GREETING", SECRET);
        arguments.putArray("secret_env_vars").add("GREETING");

        assertThat(all(call(arguments))).doesNotContain(SECRET).contains("[REDACTED:secret]");
        assertThat(all(call(with("GREETING", SECRET)))).contains(SECRET);
    }

    @Test
    void a_name_that_is_not_set_is_refused() {
        var arguments = with("GREETING", SECRET);
        arguments.putArray("secret_env_vars").add("OTHER");

        assertThatThrownBy(() -> call(arguments))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.sentence()).contains("OTHER");
                        });
    }

    @Test
    void a_password_in_an_address_is_as_secret_as_the_address() throws Exception {
        var url = "postgres://me:" + "open%21sesame@db.example/x";
        runs.prints("open%21sesame open!sesame " + url, "", FakeRuns.SUCCESS);

        assertThat(report(call(with("DATABASE_URL", url))).get("stdout").stringValue())
                .isEqualTo("[REDACTED:secret] [REDACTED:secret] [REDACTED:secret]");
    }

    private static ObjectNode withSecrets(int count) {
        var arguments = Json.object().put("code", "x");
        var env = arguments.putObject("env_vars");
        for (var number = 0; number < count; number++) {
            env.put("V" + number + "_TOKEN", "secret-" + number);
        }
        return arguments;
    }

    @Test
    void a_run_has_a_hundred_secrets_at_most() throws Exception {
        runs.prints("secret-0 secret-99", "", FakeRuns.SUCCESS);
        assertThat(all(call(withSecrets(RunEnvironment.SECRETS_MAX)))).doesNotContain("secret-");

        var tooMany = withSecrets(RunEnvironment.SECRETS_MAX);
        ((ObjectNode) tooMany.get("env_vars")).put("ONE_MORE", "value");
        assertThat(call(tooMany).failed()).isFalse();
        tooMany.putArray("secret_env_vars").add("ONE_MORE");
        assertThatThrownBy(() -> call(tooMany))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.sentence())
                                    .contains("101 secrets", "100 at most", "secret_env_vars");
                        });
    }

    @Test
    void the_name_of_a_file_tells_no_secret() throws Exception {
        runs.does(run -> {
            var directory = FakeRuns.workspace(run).resolve("of-" + SECRET);
            Files.createDirectory(directory);
            Files.writeString(directory.resolve(SECRET + ".txt"), "x");
            Files.writeString(FakeRuns.workspace(run).resolve("plain.txt"), "x");
            return new Outcome.Exited(
                    0, FakeRuns.USAGE, Optional.of(new HandedOver.InFile(9, SECRET + ".json")));
        });
        var arguments = with("MY_TOKEN", SECRET).put("thread_id", "t");
        bench.links.servedAt("http://here");

        var result = call(arguments);

        assertThat(all(result)).doesNotContain(SECRET);
        var files = report(result).get("files");
        assertThat(files.valueStream().map(file -> file.get("path").stringValue()))
                .containsExactlyInAnyOrder(
                        "of-[REDACTED:secret]/[REDACTED:secret].txt", "plain.txt");
        for (var file : files) {
            assertThat(file.hasNonNull("url"))
                    .isEqualTo(file.get("path").stringValue().equals("plain.txt"));
        }
        assertThat(bench.journal.ended.values().toString()).doesNotContain(SECRET);
    }

    @Test
    void the_file_of_a_large_value_is_named_without_a_secret() throws Exception {
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve(SECRET + ".json"), "[]");
            return new Outcome.Exited(
                    0, FakeRuns.USAGE, Optional.of(new HandedOver.InFile(2, SECRET + ".json")));
        });

        var result = call(with("MY_TOKEN", SECRET).put("thread_id", "t"));

        assertThat(all(result)).doesNotContain(SECRET).contains("[REDACTED:secret].json");
        assertThat(bench.journal.ended.values().toString()).doesNotContain(SECRET);
    }

    @Test
    void what_is_read_later_does_not_confirm_a_secret() throws Exception {
        var token = "ghp_" + "b".repeat(36);
        runs.does(run -> {
            FakeRuns.print(run, Stream.STDOUT, "x " + token + "\ny " + SECRET + "\n");
            return FakeRuns.SUCCESS;
        });
        var id = report(call(with("MY_TOKEN", SECRET))).get("execution_id").stringValue();

        for (var guess : List.of("ghp_", "bbbb", "open", SECRET, "^x g", "^y o")) {
            var arguments = Json.object().put("execution_id", id).put("grep", guess);
            var found = bench.call(FakeCall.by(Caller.LOCAL), "output_read", arguments);
            assertThat(report(found).get("lines")).as(guess).isEmpty();
        }
    }

    @Test
    void a_digest_of_arguments_cannot_be_computed_without_the_servers_secret() throws Exception {
        runs.prints("", "", FakeRuns.SUCCESS);
        var arguments = with("PLAIN", "x");

        var digest = report(call(arguments)).get("arguments_digest").stringValue();

        assertThat(digest)
                .isEqualTo(ToolBench.DIGEST.of(Caller.LOCAL.id(), Json.bytes(arguments)))
                .isNotEqualTo(ToolBench.DIGEST.of("another", Json.bytes(arguments)))
                .isNotEqualTo(
                        new KeyedDigest(new byte[] {2})
                                .of(Caller.LOCAL.id(), Json.bytes(arguments)));
    }
}
