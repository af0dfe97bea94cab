package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class BrokerTest {
    private static final Caller ANNA = new Caller("anna", "Anna", Set.of(), Set.of("core"));
    private static final Caller BERT = new Caller("bert", "Bert", Set.of(), Set.of("files"));

    record Input(
            @Length(min = 1) String code, @Range(min = 1, max = 3600) Optional<Integer> timeout) {
        Input {
            if (code.isBlank()) {
                throw new IllegalArgumentException("code must not be blank");
            }
        }
    }

    record Output(int length) {}

    private static Broker broker(Tool... tools) {
        return TestBroker.of(List.of(tools), _ -> {}, Clock.systemUTC());
    }

    private static ToolSpec.Builder spec(String name) {
        return ToolSpec.named(name, name, "Does " + name + ".");
    }

    private static Tool tool(ToolSpec.Builder spec) {
        return TypedTool.withBody(
                spec, Input.class, (_, input, _) -> ToolResult.text(input.code()));
    }

    private static ObjectNode arguments(String json) {
        return (ObjectNode) Json.parse(json.replace('\'', '"'));
    }

    private static ToolResult call(Broker broker, Caller caller, String name, String arguments)
            throws InterruptedException {
        return broker.call(FakeCall.by(caller), name, arguments(arguments));
    }

    private static Refusal refused(Broker broker, Caller caller, String name, String arguments) {
        return catchThrowableOfType(Refusal.class, () -> call(broker, caller, name, arguments));
    }

    @Test
    void a_tool_is_called_with_its_record() throws Exception {
        var result = call(broker(tool(spec("run"))), ANNA, "run", "{'code':'1+1'}");
        assertThat(result).isEqualTo(ToolResult.text("1+1"));
    }

    @Test
    void a_hidden_tool_is_like_one_that_is_not_there() {
        var broker = broker(tool(spec("run")), tool(spec("secret").in("admin")));
        assertThat(broker.tools(ANNA)).extracting(ToolSpec::name).containsExactly("run");
        assertThat(broker.tool(ANNA, "secret")).isEmpty();
        var hidden = refused(broker, ANNA, "secret", "{}");
        var missing = refused(broker, ANNA, "absent", "{}");
        assertThat(hidden.reason()).isEqualTo(Reason.UNKNOWN_TOOL);
        assertThat(hidden.sentence().replace("secret", "absent")).isEqualTo(missing.sentence());
        assertThat(hidden.details()).isEqualTo(missing.details());
        assertThat(hidden.details()).containsEntry("available", List.of("run"));
    }

    @Test
    void an_unknown_tool_is_refused_with_what_the_caller_may_have_meant() {
        var broker = broker(tool(spec("files_read")), tool(spec("files_write")), tool(spec("run")));
        assertThat(refused(broker, ANNA, "file_read", "{}").sentence())
                .isEqualTo("Unknown tool: file_read. Did you mean files_read?");
        assertThat(refused(broker, ANNA, "something_else", "{}").sentence())
                .isEqualTo("Unknown tool: something_else. There are files_read, files_write, run.");
        assertThat(refused(broker, BERT, "anything", "{}").sentence())
                .isEqualTo("Unknown tool: anything");
        assertThat(refused(broker, ANNA, "x".repeat(100_000), "{}").sentence())
                .hasSizeLessThan(200);
    }

    @Test
    void the_names_told_with_a_refusal_are_bounded() {
        assertThat(available(UnknownTool.AVAILABLE_MAX)).hasSize(UnknownTool.AVAILABLE_MAX);
        assertThat(available(UnknownTool.AVAILABLE_MAX + 1)).hasSize(UnknownTool.AVAILABLE_MAX);
    }

    private static Collection<?> available(int tools) {
        var many = new ArrayList<Tool>();
        for (var i = 0; i < tools; i++) {
            many.add(tool(spec("tool_number_" + i)));
        }
        var refusal = refused(broker(many.toArray(Tool[]::new)), ANNA, "else", "{}");
        assertThat(refusal.sentence()).isEqualTo("Unknown tool: else");
        return (Collection<?>) refusal.details().getOrDefault("available", List.of());
    }

    @Test
    void an_alias_works_and_is_not_advertised() throws Exception {
        var broker = broker(tool(spec("run").alsoCalled("sandbox.run_code")));
        assertThat(broker.tools(ANNA)).extracting(ToolSpec::name).containsExactly("run");
        assertThat(broker.tool(ANNA, "sandbox.run_code").orElseThrow().name()).isEqualTo("run");
        assertThat(call(broker, ANNA, "sandbox.run_code", "{'code':'x'}").failed()).isFalse();
        assertThat(refused(broker, BERT, "sandbox.run_code", "{}").reason())
                .isEqualTo(Reason.UNKNOWN_TOOL);
    }

    private record TwoForms(Tool own, Tool other) implements Tool {
        @Override
        public ToolSpec spec() {
            return own.spec();
        }

        @Override
        public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
            return own.call(call, arguments);
        }

        @Override
        public List<Tool> otherForms() {
            return List.of(other);
        }
    }

    record Word(@Length(min = 1) String word) {}

    private static TwoForms twoForms() {
        return new TwoForms(
                tool(spec("run")),
                TypedTool.withBody(
                        spec("speak"), Word.class, (_, input, _) -> ToolResult.text(input.word())));
    }

    @Test
    void another_form_takes_its_own_arguments_and_is_recorded_as_the_tool() throws Exception {
        var recorded = new ArrayList<String>();
        var broker =
                TestBroker.of(
                        List.of(twoForms()), call -> recorded.add(call.tool()), Clock.systemUTC());

        assertThat(broker.tools(ANNA)).extracting(ToolSpec::name).containsExactly("run");
        assertThat(call(broker, ANNA, "speak", "{'word':'x'}")).isEqualTo(ToolResult.text("x"));
        assertThat(refused(broker, ANNA, "speak", "{'code':'x'}").sentence()).contains("speak");
        assertThat(recorded).containsExactly("run", "run");
        assertThat(refused(broker, BERT, "speak", "{'word':'x'}").reason())
                .isEqualTo(Reason.UNKNOWN_TOOL);
        assertThatThrownBy(() -> broker(twoForms(), tool(spec("speak"))))
                .hasMessageContaining("two tools are called");
    }

    @Test
    void one_name_belongs_to_one_tool() {
        assertClash(spec("run"), spec("run"));
        assertClash(spec("run").alsoCalled("go"), spec("walk").alsoCalled("go"));
        assertClash(spec("run").alsoCalled("walk"), spec("walk"));
        assertClash(spec("walk"), spec("run").alsoCalled("walk"));
    }

    private static void assertClash(ToolSpec.Builder one, ToolSpec.Builder other) {
        assertThatThrownBy(() -> broker(tool(one), tool(other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two tools are called");
    }

    @Test
    void the_order_of_tools_is_that_of_their_names() {
        var broker = broker(tool(spec("c")), tool(spec("a")), tool(spec("b")));
        assertThat(broker.tools(ANNA)).extracting(ToolSpec::name).containsExactly("a", "b", "c");
    }

    @Test
    void arguments_that_fail_the_schema_are_refused_by_member() {
        var refusal =
                refused(broker(tool(spec("run"))), ANNA, "run", "{'code':'','timeout':4000,'x':1}");
        assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
        assertThat(refusal.details().get("complaints"))
                .isEqualTo(
                        List.of(
                                "/code must have at least 1 characters, has 0",
                                "/timeout must be at most 3600, was 4000",
                                "/x is not known; known are code, timeout"));
        assertThat(refusal.sentence())
                .startsWith("The arguments of run are not valid: /code must have");
    }

    @Test
    void what_the_record_says_about_its_values_is_a_refusal() {
        var refusal = refused(broker(tool(spec("run"))), ANNA, "run", "{'code':' '}");
        assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
        assertThat(refusal.sentence())
                .isEqualTo("The arguments of run are not valid: code must not be blank");
    }

    @Test
    void an_illegal_argument_within_the_tool_is_our_fault() {
        var broken =
                TypedTool.withBody(
                        spec("run"),
                        Input.class,
                        (_, _, _) -> {
                            throw new IllegalArgumentException("inside");
                        });
        assertThatThrownBy(() -> call(broker(broken), ANNA, "run", "{'code':'x'}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inside");
    }

    @Test
    void the_schema_of_calls_is_the_records_and_the_listed_one_is_brief() {
        var broker = broker(tool(spec("run")));
        var whole = broker.tool(ANNA, "run").orElseThrow().inputSchema();
        assertThat(whole).isEqualTo(SchemaOf.record(Input.class));
        var listed = broker.tools(ANNA).getFirst().inputSchema();
        assertThat(listed.get("properties").propertyNames())
                .isEqualTo(whole.get("properties").propertyNames());
        assertThat(listed.get("required")).isEqualTo(whole.get("required"));
        assertThat(Json.text(listed)).hasSizeLessThan(Json.text(whole).length());
    }

    private static Broker returning(ToolResult result) {
        var spec = spec("run").returning(SchemaOf.record(Output.class));
        return broker(TypedTool.withBody(spec, Input.class, (_, _, _) -> result));
    }

    @Test
    void a_result_that_keeps_its_schema_is_handed_on() throws Exception {
        var good = ToolResult.structured(Records.tree(new Output(3)));
        assertThat(call(returning(good), ANNA, "run", "{'code':'x'}")).isEqualTo(good);
        var failure = ToolResult.failure("no");
        assertThat(call(returning(failure), ANNA, "run", "{'code':'x'}")).isEqualTo(failure);
    }

    @Test
    void a_result_that_breaks_its_schema_is_a_fault() {
        var bad = ToolResult.structured(Json.object().put("length", "three"));
        assertThatThrownBy(() -> call(returning(bad), ANNA, "run", "{'code':'x'}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("run broke its output schema")
                .hasMessageContaining("/length must be an integer");
        assertThatThrownBy(() -> call(returning(ToolResult.text("3")), ANNA, "run", "{'code':'x'}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("run returned nothing structured");
    }

    @Test
    void a_tool_that_needs_a_feature_is_refused_to_a_client_without_it() throws Exception {
        var broker = broker(tool(spec("run").needing(ClientFeature.SAMPLING)));
        var refusal = refused(broker, ANNA, "run", "{'code':'x'}");
        assertThat(refusal.reason()).isEqualTo(Reason.MISSING_CAPABILITY);
        assertThat(refusal.sentence()).isEqualTo("run needs a client that declares sampling.");
        assertThat(refusal.details()).containsEntry("feature", "SAMPLING");
        var able = FakeCall.by(ANNA, ClientFeature.SAMPLING);
        assertThat(broker.call(able, "run", arguments("{'code':'x'}")).failed()).isFalse();
    }

    @Test
    void a_change_of_tools_is_told_only_to_those_who_see_another_list() throws Exception {
        var changes = new Changes();
        var tools = new ToolList(List.of(tool(spec("run"))), changes);
        var told = new ArrayList<String>();
        try (var _ = changes.listen(ANNA, _ -> told.add("anna"));
                var _ = changes.listen(BERT, _ -> told.add("bert"))) {
            tools.replace(List.of(tool(spec("run")), tool(spec("read").in("files"))));
            assertThat(told).containsExactly("bert");
            tools.replace(List.of(tool(spec("read").in("files"))));
            assertThat(told).containsExactly("bert", "anna");
            tools.replace(List.of(tool(spec("read").in("files"))));
            assertThat(told).hasSize(2);
        }
        tools.replace(List.of());
        assertThat(told).hasSize(2);
    }

    @Test
    void a_tool_whose_schema_cannot_be_used_is_named() {
        var spec = spec("run").returning(Json.object().put("$schema", "https://a.example/mine"));
        assertThatThrownBy(() -> broker(tool(spec)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run");
    }
}
