package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.ApprovalNeed;
import dev.caisson.broker.Broker;
import dev.caisson.broker.CallPolicy;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Consent;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.Recording;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolListing;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.Tokens;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// However many tools other servers have, they are found, described and called in few tokens.
class ManyToolsTest {
    /// Allows what changes nothing.
    private static final class OnlyReading implements CallPolicy {
        @Override
        public Outlook outlook(Caller caller, ToolOrigin tool) {
            return new Outlook(verdict(tool), Optional.empty(), Optional.empty());
        }

        private static Verdict verdict(ToolOrigin tool) {
            return tool.isOwn() || tool.effect() == ToolEffect.READ ? Verdict.ALLOW : Verdict.DENY;
        }

        @Override
        public Optional<ApprovalNeed> check(Call call, ActionRequest action) {
            if (action.origin().filter(tool -> verdict(tool) == Verdict.DENY).isPresent()) {
                throw new Refusal(Reason.DENIED, action.name() + " may not be called.");
            }
            return Optional.empty();
        }
    }

    private static final int COUNT = 508;

    private final Many many = new Many(UpstreamInventory.of(COUNT));

    /// Broker of the tools of `code` and of others.
    private static final class Many {
        final List<RecordedCall> recorded = new ArrayList<>();
        final Broker broker;

        Many(List<Tool> upstream) {
            var changes = new Changes();
            var own =
                    List.of(
                            ToolSearch.tool(this::broker),
                            ToolDescribe.tool(this::broker, Learned.NOTHING),
                            ToolCall.tool(this::broker));
            broker =
                    new Broker(
                            new Broker.Sources(
                                    List.of(
                                            new ToolList(own, changes),
                                            new ToolList(upstream, changes)),
                                    List.of(),
                                    List.of(),
                                    new ToolListing(Set.of("core"), ToolListing.Mode.AUTO)),
                            new CallRules(new OnlyReading(), Consent.NOBODY),
                            changes,
                            new Recording(recorded::add, new Metrics(), Clock.systemUTC()),
                            Redaction.standard());
        }

        private Broker broker() {
            return broker;
        }

        ToolResult call(String tool, String arguments) throws Exception {
            return broker.call(FakeCall.by(Caller.LOCAL), tool, (ObjectNode) Json.parse(arguments));
        }

        JsonNode asked(String tool, String arguments) throws Exception {
            return call(tool, arguments).structured().orElseThrow();
        }
    }

    @Test
    void the_list_of_code_is_the_same_however_many_tools_there_are() {
        var few = new Many(UpstreamInventory.of(96)).broker.tools(Caller.LOCAL);
        var tools = many.broker.tools(Caller.LOCAL);
        assertThat(tools).isEqualTo(few);
        assertThat(tools).hasSize(3);
        var alone = new Many(List.of()).broker.tools(Caller.LOCAL.seeing(Set.of("code")));
        var names = tools.getLast().description().substring(alone.getLast().description().length());
        assertThat(names).contains(" billing, calendar, ");
        assertThat(Tokens.count(names)).isLessThan(100);
    }

    @Test
    void a_search_takes_few_tokens_at_every_detail() throws Exception {
        for (var detail : List.of("name", "name+description", "signature")) {
            var found =
                    many.asked(
                            "tool_search",
                            ("{\"query\": \"list documents, search invoices\", \"limit\": 50,"
                                            + " \"detail\": \"%s\"}")
                                    .formatted(detail));
            assertThat(Tokens.count(Json.text(found)))
                    .as(detail)
                    .isBetween(500, ToolSearch.TOKENS_MAX);
            assertThat(found.get("more").booleanValue()).isTrue();
        }
    }

    @Test
    void a_search_of_usual_size_fits_whole() throws Exception {
        var found = many.asked("tool_search", "{\"query\": \"delete a folder\"}");
        assertThat(found.get("tools").size()).isGreaterThanOrEqualTo(8);
        var best = found.get("tools").get(0);
        assertThat(best.get("tool").stringValue()).contains(".delete_");
        assertThat(best.get("effect").stringValue()).isEqualTo("destroy");
        assertThat(best.get("policy").stringValue()).isEqualTo("deny");
    }

    @Test
    void a_description_takes_few_tokens_and_names_whole_tools_that_do_not_fit() throws Exception {
        var names =
                many.broker.callable(Caller.LOCAL).stream().map(ToolSpec::qualifiedName).toList();
        var wanted = Json.object();
        var tools = wanted.putArray("tools");
        names.stream().filter(name -> name.startsWith("crm.")).limit(10).forEach(tools::add);
        for (var format : List.of("python", "typescript", "schema")) {
            var answer = many.asked("tool_describe", Json.text(wanted.put("format", format)));
            assertThat(Tokens.count(Json.text(answer)))
                    .isLessThanOrEqualTo(ToolDescribe.TOKENS_MAX);
            assertThat(answer.get("tools").size() + answer.get("left_out").size()).isEqualTo(10);
        }
        var text = new StringBuilder();
        for (int number = 0; number < 1_300; number++) {
            text.append("word").append(number).append(' ');
        }
        var large = new ArrayList<Tool>();
        for (var name : List.of("one", "two", "three")) {
            var spec = ToolSpec.of(name, name, text.toString(), ToolSpec.noArguments());
            large.add(new Fixed(spec));
        }
        large.add(
                new Fixed(
                        ToolSpec.of(
                                "huge", "h", text.toString().repeat(4), ToolSpec.noArguments())));
        var others = new Many(large);
        var all = "{\"tools\": [\"one\", \"two\", \"three\", \"huge\"]}";
        var answer = others.asked("tool_describe", all);
        assertThat(Tokens.count(Json.text(answer))).isLessThanOrEqualTo(ToolDescribe.TOKENS_MAX);
        assertThat(answer.get("left_out").valueStream().map(JsonNode::stringValue))
                .isNotEmpty()
                .doesNotContain("huge");
        assertThat(answer.get("tools").get(answer.get("tools").size() - 1).get("whole").asBoolean())
                .isFalse();
    }

    private record Fixed(ToolSpec spec) implements Tool {
        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            return ToolResult.text("");
        }
    }

    @Test
    void a_tool_is_called_with_its_own_record_and_its_own_policy() throws Exception {
        var reads = new TreeSet<String>();
        for (var spec : many.broker.callable(Caller.LOCAL)) {
            if (spec.qualifiedName().startsWith("drive.list_")) {
                reads.add(spec.qualifiedName());
            }
        }
        var name = reads.first();
        var schema = many.broker.find(Caller.LOCAL, name.replace(".", "__")).spec().orElseThrow();
        var required = schema.inputSchema().get("required").get(0).stringValue();
        var arguments = Json.object().put("tool", name);
        arguments.putObject("arguments").put(required, "x");
        var result = many.call("tool_call", Json.text(arguments));
        assertThat(result.failed()).isFalse();
        assertThat(many.recorded)
                .extracting(RecordedCall::tool)
                .containsExactly(name.replace(".", "/"), "tool_call");

        var denied = name.replace("list", "delete");
        var other =
                many.broker.callable(Caller.LOCAL).stream()
                        .map(ToolSpec::qualifiedName)
                        .filter(each -> each.startsWith("drive.delete_"))
                        .findFirst()
                        .orElse(denied);
        var spec = many.broker.find(Caller.LOCAL, other.replace(".", "__")).spec().orElseThrow();
        var wrong = Json.object().put("tool", other);
        wrong.putObject("arguments")
                .put(spec.inputSchema().get("required").get(0).stringValue(), "x");
        assertThatThrownBy(() -> many.call("tool_call", Json.text(wrong)))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.type()).isEqualTo(ToolErrorType.DENIED));
    }
}
