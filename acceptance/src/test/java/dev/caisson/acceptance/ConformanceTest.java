package dev.caisson.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.FixtureServer.Setting;
import dev.caisson.acceptance.judge.ClientSuite;
import dev.caisson.acceptance.judge.Judges;
import dev.caisson.acceptance.judge.Score;
import dev.caisson.acceptance.judge.Score.Scenario;
import dev.caisson.acceptance.judge.Suite;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The official suite finds nothing to complain about: no failure, no warning, no scenario it could
/// not run, and no list of failures to expect.
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConformanceTest {
    private final Judges judges = Judges.ready();
    private final Suite suite = new Suite(judges);
    private final FixtureServer engine = FixtureServer.start(Setting.OPEN);

    @AfterAll
    void stop() {
        engine.close();
    }

    @Test
    void all_30_required_and_3_unscored_scenarios_pass_at_2025_11_25() {
        var score = suite.judge(engine.endpoint(), "2025-11-25");
        allPassed(score);
        assertThat(score.required()).hasSize(30);
        assertThat(score.unscored())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "server-session-lifecycle", "json-schema-2020-12", "server-sse-polling");
    }

    @Test
    void all_37_required_and_13_unscored_scenarios_pass_at_2026_07_28() {
        var score = suite.judge(engine.endpoint(), "2026-07-28");
        allPassed(score);
        assertThat(score.required()).hasSize(37);
        assertThat(score.unscored())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "tasks-lifecycle",
                        "tasks-capability-negotiation",
                        "tasks-wire-fields",
                        "tasks-request-state-removal",
                        "tasks-mrtr-input",
                        "tasks-request-headers",
                        "tasks-dispatch-and-envelope",
                        "tasks-status-notifications",
                        "tasks-required-task-error",
                        "tasks-mrtr-composition",
                        "json-schema-2020-12",
                        "http-header-validation",
                        "http-custom-header-server-validation");
        assertThat(score.unscored().stream().filter(one -> one.succeeded() == 0))
                .as("scenarios that check nothing")
                .extracting(Scenario::name)
                .isEqualTo(List.of("tasks-status-notifications"));
    }

    @Test
    void as_a_client_all_21_scenarios_pass_at_2025_11_25() {
        var score = new ClientSuite(judges).judge("2025-11-25");
        allPassed(score);
        assertThat(score.required())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "initialize",
                        "tools_call",
                        "elicitation-sep1034-client-defaults",
                        "sse-retry",
                        "auth/metadata-default",
                        "auth/metadata-var1",
                        "auth/metadata-var2",
                        "auth/metadata-var3",
                        "auth/basic-cimd",
                        "auth/scope-from-www-authenticate",
                        "auth/scope-from-scopes-supported",
                        "auth/scope-omitted-when-undefined",
                        "auth/scope-step-up",
                        "auth/scope-retry-limit",
                        "auth/token-endpoint-auth-basic",
                        "auth/token-endpoint-auth-post",
                        "auth/token-endpoint-auth-none",
                        "auth/pre-registration");
        assertThat(score.unscored())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "json-schema-2020-12-preservation",
                        "auth/client-credentials-jwt",
                        "auth/client-credentials-basic");
    }

    @Test
    void as_a_client_all_35_scenarios_pass_at_2026_07_28() {
        var score = new ClientSuite(judges).judge("2026-07-28");
        allPassed(score);
        assertThat(score.required())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "tools_call",
                        "request-metadata",
                        "sep-2322-client-request-state",
                        "http-standard-headers",
                        "http-custom-headers",
                        "http-invalid-tool-headers",
                        "json-schema-ref-no-deref",
                        "auth/metadata-default",
                        "auth/metadata-var1",
                        "auth/metadata-var2",
                        "auth/metadata-var3",
                        "auth/basic-cimd",
                        "auth/scope-from-www-authenticate",
                        "auth/scope-from-scopes-supported",
                        "auth/scope-omitted-when-undefined",
                        "auth/scope-step-up",
                        "auth/scope-retry-limit",
                        "auth/token-endpoint-auth-basic",
                        "auth/token-endpoint-auth-post",
                        "auth/token-endpoint-auth-none",
                        "auth/pre-registration",
                        "auth/resource-mismatch",
                        "auth/offline-access-scope",
                        "auth/offline-access-not-supported",
                        "auth/authorization-server-migration",
                        "auth/iss-supported",
                        "auth/iss-not-advertised",
                        "auth/iss-supported-missing",
                        "auth/iss-wrong-issuer",
                        "auth/iss-unexpected",
                        "auth/iss-normalized",
                        "auth/metadata-issuer-mismatch");
        assertThat(score.unscored())
                .extracting(Scenario::name)
                .containsExactlyInAnyOrder(
                        "json-schema-2020-12-preservation",
                        "auth/client-credentials-jwt",
                        "auth/client-credentials-basic");
    }

    private static void allPassed(Score score) {
        System.out.print(score.table());
        assertThat(score.required()).as(score.table()).allMatch(Scenario::passed);
        assertThat(score.unscored()).as(score.table()).allMatch(Scenario::passed);
    }
}
