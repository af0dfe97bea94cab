package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What holds for everything that passes the broker, tool or not.
class ActionsTest {
    private static final ActionRequest MAKE =
            ActionRequest.change("thing_make", Json.object().put("name", "x"));
    private static final ActionRequest LOOK = ActionRequest.read("thing_read", Json.object());

    private final List<RecordedCall> recorded = new ArrayList<>();
    private final Metrics metrics = new Metrics();

    private record Made(String name) implements Tool {
        @Override
        public ToolSpec spec() {
            return ToolSpec.named(name, name, "Does it.").build();
        }

        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            return ToolResult.text("done");
        }
    }

    private Broker broker(CallRules rules, ResourceSource... resources) {
        var changes = new Changes();
        return new Broker(
                TestBroker.sources(new ToolList(List.of(new Made("make")), changes), resources),
                rules,
                changes,
                new Recording(recorded::add, metrics, Clock.systemUTC()),
                Redaction.standard());
    }

    private Broker broker() {
        return broker(CallRules.ALLOW_ALL);
    }

    private static Call call() {
        return FakeCall.by(Caller.LOCAL);
    }

    private RecordedCall only() {
        assertThat(recorded).hasSize(1);
        return recorded.getFirst();
    }

    @Test
    void the_stages_are_those_of_the_document() {
        assertThat(broker().stageNames())
                .containsExactly(
                        "find",
                        "review",
                        "features",
                        "schema",
                        "policy",
                        "consent",
                        "run",
                        "record");
    }

    @Test
    void what_was_done_is_recorded_with_who_where_and_how_before_it_returns() throws Exception {
        var result = broker().act(call(), MAKE, _ -> "made");

        assertThat(result).isEqualTo("made");
        assertThat(only().tool()).isEqualTo("thing_make");
        assertThat(only().caller()).isEqualTo(Caller.LOCAL);
        assertThat(only().door().word()).isEqualTo("inside");
        assertThat(only().arguments()).isEqualTo(MAKE.arguments());
        assertThat(only().ending()).isEqualTo(new Ending.Answered(false));
        assertThat(only().changing()).isTrue();
        assertThat(metrics.toolCalls().labelValues("thing_make", "", "ok").get()).isEqualTo(1);
    }

    @Test
    void what_only_reads_is_recorded_as_such() throws Exception {
        broker().act(
                        call(),
                        LOOK,
                        noted -> {
                            noted.notes().handedOut(12);
                            return 1;
                        });

        assertThat(only().changing()).isFalse();
        assertThat(only().notes().handedOutBytes()).isEqualTo(12);
    }

    @Test
    void every_other_ending_is_recorded_too() {
        record Case(Exception thrown, Ending ending) {}
        for (var each :
                List.of(
                        new Case(
                                new Refusal(Reason.CONFLICT, "no"),
                                new Ending.Refused(Reason.CONFLICT)),
                        new Case(new InterruptedException(), new Ending.Cancelled()),
                        new Case(new IOException("broken"), new Ending.Broken()),
                        new Case(new IllegalStateException("bug"), new Ending.Broken()))) {
            recorded.clear();
            var thrown =
                    catchThrowable(() ->
                            broker().act(
                                            call(),
                                            MAKE,
                                            _ -> {
                                                throw each.thrown();
                                            }));
            assertThat(thrown).isInstanceOf(each.thrown().getClass());
            assertThat(only().ending()).isEqualTo(each.ending());
        }
    }

    @Test
    void a_policy_stands_before_tools_and_actions_and_nothing_is_done() {
        var rules =
                new CallRules(
                        (_, action) -> {
                            throw new Refusal(Reason.FORBIDDEN, action.name() + " is denied");
                        },
                        Consent.NOBODY);
        assertThatThrownBy(() -> broker(rules).call(call(), "make", Json.object()))
                .hasMessage("make is denied");
        assertThatThrownBy(() ->
                        broker(rules)
                                .act(
                                        call(),
                                        MAKE,
                                        _ -> {
                                            throw new AssertionError("done in spite of it");
                                        }))
                .hasMessage("thing_make is denied");
        assertThat(recorded)
                .hasSize(2)
                .allSatisfy(each -> {
                    assertThat(each.ending()).isEqualTo(new Ending.Refused(Reason.FORBIDDEN));
                    assertThat(each.changing()).isFalse();
                });
    }

    @Test
    void consent_is_asked_after_the_policy_and_its_decision_is_in_the_record() throws Exception {
        var asked = new ArrayList<String>();
        var rules =
                new CallRules(
                        (_, action) -> {
                            asked.add("policy " + action.name());
                            return Optional.of(
                                    new ApprovalNeed(
                                            "rule", false, Optional.empty(), Optional.empty()));
                        },
                        (noted, action, need) -> {
                            asked.add("consent " + action.name());
                            assertThat(need.rule()).isEqualTo("rule");
                            noted.notes().approval("approved");
                        });
        broker(rules).call(call(), "make", Json.object());
        broker(rules).act(call(), LOOK, _ -> 1);

        assertThat(asked)
                .containsExactly(
                        "policy make", "consent make", "policy thing_read", "consent thing_read");
        assertThat(recorded)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.notes().approval()).contains("approved"));
    }

    private record Numbers(int count) implements ResourceSource {
        @Override
        public Page list(Caller caller, Optional<String> after, int limit) {
            var all = IntStream.range(0, count).boxed().toList();
            return Page.of(all, after, limit, this::resource);
        }

        private Resource resource(int number) {
            var uri = count + "/" + number;
            return new Resource(uri, uri, uri, Optional.empty(), "text/plain", Optional.empty());
        }

        @Override
        public List<Template> templates(Caller caller) {
            return List.of();
        }

        @Override
        public Optional<List<ResourceContents>> read(Call call, String uri) {
            return uri.startsWith(count + "/")
                    ? Optional.of(List.of(new ResourceContents.Text(uri, "text/plain", "four")))
                    : Optional.empty();
        }
    }

    @Test
    void the_resources_of_several_sources_are_listed_page_by_page() {
        var broker =
                broker(
                        CallRules.ALLOW_ALL,
                        new Numbers(3),
                        new Numbers(0),
                        new Numbers(2),
                        new Numbers(0));
        for (var limit = 1; limit <= 6; limit++) {
            var seen = new ArrayList<String>();
            var pages = 0;
            Optional<String> cursor = Optional.empty();
            do {
                var page = broker.resources(Caller.LOCAL, cursor, limit);
                page.resources().forEach(each -> seen.add(each.uri()));
                cursor = page.next();
                pages++;
            } while (cursor.isPresent());
            assertThat(seen).containsExactly("3/0", "3/1", "3/2", "2/0", "2/1");
            assertThat(pages).isEqualTo((5 + limit - 1) / limit);
        }
    }

    @Test
    void a_cursor_that_is_not_one_of_ours_is_refused() {
        var broker = broker(CallRules.ALLOW_ALL, new Numbers(3));
        for (var cursor : List.of("", "x", "1:", "0:x", "0:4", "-1:0", "99999:1")) {
            assertThatThrownBy(() -> broker.resources(Caller.LOCAL, Optional.of(cursor), 2))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.MALFORMED));
        }
    }

    @Test
    void a_resource_that_is_read_or_not_there_leaves_a_record() throws Exception {
        var broker = broker(CallRules.ALLOW_ALL, new Numbers(3));
        broker.read(call(), "3/0");
        assertThat(only().tool()).isEqualTo("resource_read");
        assertThat(only().arguments()).isEqualTo(Json.object().put("uri", "3/0"));
        assertThat(only().notes().handedOutBytes()).isEqualTo(4);
        recorded.clear();

        assertThatThrownBy(() -> broker.read(call(), "none")).isInstanceOf(Refusal.class);
        assertThat(only().ending()).isEqualTo(new Ending.Refused(Reason.UNKNOWN_RESOURCE));
    }
}
