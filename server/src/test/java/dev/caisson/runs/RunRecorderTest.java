package dev.caisson.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.json.Json;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Sink;
import dev.caisson.tools.ToolBench;
import dev.caisson.tools.ToolsTestCase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunRecorderTest extends ToolsTestCase {
    RunRecorderTest() {
        super(Language.PYTHON);
    }

    private Completion only() {
        assertThat(bench.journal.ended).hasSize(1);
        return bench.journal.ended.values().iterator().next();
    }

    @Test
    void the_record_begins_before_the_program_and_ends_with_what_it_did() throws Exception {
        runs.does(run -> {
            assertThat(bench.journal.begun).containsExactly(run.id());
            assertThat(bench.journal.ended).isEmpty();
            FakeRuns.print(run, Sink.Stream.STDOUT, "four");
            return FakeRuns.exit(3);
        });

        var result = bench.execute("x");

        var request = bench.journal.requests.values().iterator().next();
        assertThat(request.codeHash())
                .isEqualTo(ToolBench.DIGEST.of(Caller.LOCAL.id(), "x".getBytes(UTF_8)));
        assertThat(request.language()).isEqualTo("python");
        assertThat(only().ended().status()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(only().ended().exitCode()).contains(3);
        assertThat(only().stdout().bytes()).isEqualTo(4);
        assertThat(only().envelopeDigest())
                .contains(ToolBench.report(result).get("output_digest").stringValue());
    }

    @Test
    void a_program_that_cannot_be_recorded_does_not_begin() {
        var began = new AtomicBoolean();
        runs.does(run -> {
            run.permit().await();
            began.set(true);
            return FakeRuns.exit(0);
        });
        bench.journal.fails = true;

        assertThatThrownBy(() -> bench.execute("x")).hasMessageContaining("no disk");
        assertThat(began).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_end_that_cannot_be_kept_is_told_with_the_execution_and_tried_again(boolean atOnce)
            throws Exception {
        bench.journal.endsLost = 2;
        bench.journal.atOnce = atOnce;

        assertThatThrownBy(() -> bench.execute("x"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("The program ran");
        var id = bench.journal.begun.getFirst();
        await().atMost(Duration.ofSeconds(30)).until(() -> bench.journal.ended.containsKey(id));
    }

    @Test
    void a_run_that_was_refused_a_place_does_not_seem_to_run() {
        runs.does(_ -> {
            throw new Refusal(Reason.NO_CAPACITY, "All places are taken.");
        });

        assertThatThrownBy(() -> bench.execute("x")).isInstanceOf(Refusal.class);
        assertThat(only().ended().status()).isEqualTo(ExecutionStatus.BLOCKED);
        assertThat(only().ended().sentence()).contains("All places are taken.");
    }

    @Test
    void also_the_end_of_one_that_never_ran_is_tried_again() {
        bench.journal.endsLost = 1;
        runs.does(_ -> {
            throw new Refusal(Reason.NO_CAPACITY, "All places are taken.");
        });

        assertThatThrownBy(() -> bench.execute("x")).hasMessageContaining("All places");
        var id = bench.journal.begun.getFirst();
        await().atMost(Duration.ofSeconds(30)).until(() -> bench.journal.ended.containsKey(id));
    }

    @Test
    void nobody_hears_of_a_run_that_is_not_kept_and_it_runs_on() throws Exception {
        bench.journal.keeps.set(false);
        var client = new FakeCall(Caller.LOCAL);
        runs.does(run -> {
            FakeRuns.print(run, Sink.Stream.STDOUT, "line\n");
            Thread.sleep(Duration.ofMillis(1_300));
            assertThat(client.progress).isEmpty();
            assertThat(client.logs).isEmpty();
            bench.journal.keeps.set(true);
            await().atMost(Duration.ofSeconds(30)).until(() -> !client.progress.isEmpty());
            return FakeRuns.exit(0);
        });

        bench.call(client.call(), "sandbox_execute", Json.object().put("code", "x"));
        assertThat(only().ended().status()).isEqualTo(ExecutionStatus.SUCCESS);
        assertThat(client.logs).hasSize(1);
    }

    @Test
    void a_fault_of_ours_does_not_leave_it_running_either() {
        runs.does(_ -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> bench.execute("x")).isInstanceOf(IllegalStateException.class);
        assertThat(only().ended().status()).isEqualTo(ExecutionStatus.FAILED);
    }
}
