package dev.caisson.tools;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.json.Json;
import dev.caisson.redact.RedactionRules;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.DirectoryWorkspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Base of tests of the tool that runs a program, over runs that are made up.
abstract class SandboxExecuteTestCase {
    static final Optional<HandedOver> NOTHING = Optional.empty();
    static final String SECRET = "opensesame42";

    @TempDir Path root;
    final FakeRuns runs = new FakeRuns(Language.PYTHON, Language.BASH);
    ToolBench bench;

    @BeforeEach
    final void start() {
        bench = bench(Profile.DEFAULT.detachAfter());
    }

    final ToolBench bench(Duration detachAfter) {
        var standard = Profile.DEFAULT;
        var profile =
                new Profile(
                        Language.PYTHON,
                        standard.limits(),
                        standard.maxima(),
                        standard.wallMax(),
                        standard.waitMax(),
                        standard.codeBytesMax(),
                        standard.envBytesMax(),
                        Map.of("REGION", "north"),
                        Map.of("VAULT", SECRET),
                        RedactionRules.DEFAULT,
                        detachAfter);
        return new ToolBench(root, runs, new DirectoryWorkspaces(Optional.empty()), profile);
    }

    static ObjectNode arguments(String code) {
        return Json.object().put("code", code);
    }

    final ToolResult call(ObjectNode arguments) throws InterruptedException {
        return bench.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments);
    }
}
