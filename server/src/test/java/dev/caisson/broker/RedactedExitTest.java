package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.call.LogLevel;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import dev.caisson.redact.PersonalKind;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.RedactionRules;
import dev.caisson.telemetry.Metrics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Whatever a tool hands out passes the exit, whichever tool it is.
class RedactedExitTest {
    private static final String SECRET = "open-s3same";
    private static final String TOKEN = "ghp_" + "a".repeat(36);
    private static final String MAIL = "anna@example.org";
    private static final String ALL = SECRET + " " + TOKEN + " " + MAIL;

    private final List<String> kinds = new ArrayList<>();
    private final Redaction redaction =
            new Redaction(
                    new RedactionRules(
                            true, Set.of(PersonalKind.MAIL), Set.of("reader", "resources_read")),
                    Redaction.Turns.NONE,
                    kinds::add);

    /// What it does is the answer to everything.
    private interface Body {
        ToolResult call(Call call);
    }

    private record FixedTool(ToolSpec spec, boolean redactsItself, Body body) implements Tool {
        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            return body.call(call);
        }

        @Override
        public Set<String> secrets(ObjectNode arguments) {
            return Set.of(arguments.path("given").asString(""));
        }
    }

    private static ToolSpec spec(String name) {
        return ToolSpec.of(name, name, "Does it.", Json.object().put("type", "object"));
    }

    private static Tool tool(String name, Body body) {
        return new FixedTool(spec(name), false, body);
    }

    private Broker broker(Tool tool, ResourceSource... sources) {
        var changes = new Changes();
        return new Broker(
                TestBroker.sources(new ToolList(List.of(tool), changes), sources),
                CallRules.ALLOW_ALL,
                changes,
                new Recording(recorded::add, new Metrics(), Clock.systemUTC()),
                redaction);
    }

    private final List<RecordedCall> recorded = new ArrayList<>();

    private ToolResult call(Tool tool) throws InterruptedException {
        redaction.learn(Caller.LOCAL.id(), List.of(SECRET));
        return broker(tool).call(FakeCall.by(Caller.LOCAL), tool.spec().name(), Json.object());
    }

    @Test
    void text_and_structured_content_lose_what_is_secret_and_say_how_much() throws Exception {
        var tree = Json.object().put("x", ALL).put("redactions", 0);
        var result = call(tool("any", _ -> ToolResult.structured(tree)));

        var clean = "[REDACTED:secret] [REDACTED:github-pat] [REDACTED:mail]";
        assertThat(result.structured().orElseThrow())
                .isEqualTo(Json.object().put("x", clean).put("redactions", 3L));
        assertThat(result.content().toString()).contains(clean).doesNotContain(SECRET);
        assertThat(recorded.getFirst().notes().redactions()).isEqualTo(3);
        assertThat(kinds).contains("secret", "github-pat", "mail");
    }

    @Test
    void a_tool_can_be_spared_what_is_known_by_its_form_but_no_exact_value() throws Exception {
        var result = call(tool("reader", _ -> ToolResult.text(ALL)));

        assertThat(result.content())
                .containsExactly(Content.text("[REDACTED:secret] " + TOKEN + " " + MAIL));
    }

    @Test
    void every_kind_of_content_that_is_text_passes_and_binary_stays() throws Exception {
        var blob = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
        var result =
                call(
                        tool(
                                "any",
                                _ ->
                                        new ToolResult(
                                                List.of(
                                                        new Content.Output(
                                                                Json.object().put("a", SECRET)),
                                                        new Content.Embedded(
                                                                new ResourceContents.Text(
                                                                        "u", "text/plain", SECRET)),
                                                        new Content.Link(
                                                                "x://" + SECRET,
                                                                SECRET,
                                                                Optional.of(SECRET),
                                                                Optional.empty(),
                                                                Optional.empty()),
                                                        new Content.Image(blob, "image/png"),
                                                        new Content.Audio(blob, "audio/wav")),
                                                Optional.empty(),
                                                false)));

        assertThat(result.content()).hasSize(5);
        assertThat(result.content().toString()).doesNotContain(SECRET).contains(blob);
    }

    @Test
    void messages_beside_the_result_pass_too() throws Exception {
        redaction.learn(Caller.LOCAL.id(), List.of(SECRET));
        var client = new FakeCall(Caller.LOCAL);
        var tool =
                tool(
                        "any",
                        each -> {
                            each.messages().progress(1, OptionalDouble.empty(), "at " + SECRET);
                            each.messages()
                                    .log(LogLevel.INFO, "x", Json.object().put(SECRET, SECRET));
                            return ToolResult.text("");
                        });

        broker(tool).call(client.call(), "any", Json.object());

        assertThat(client.progress + " " + client.logs)
                .contains("[REDACTED:secret]")
                .doesNotContain(SECRET);
    }

    @Test
    void a_refusal_repeats_neither_what_is_known_nor_what_the_call_gives() {
        redaction.learn(Caller.LOCAL.id(), List.of(SECRET));
        var tool =
                tool(
                        "any",
                        _ -> {
                            throw new Refusal(
                                    Reason.INVALID_ARGUMENT,
                                    "No " + SECRET + " and no hush.",
                                    Map.of("all", List.of(SECRET, 1, Map.of("x", "hush"))));
                        });

        assertThatThrownBy(() ->
                        broker(tool)
                                .call(
                                        FakeCall.by(Caller.LOCAL),
                                        "any",
                                        Json.object().put("given", "hush")))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.sentence())
                                    .isEqualTo("No [REDACTED:secret] and no [REDACTED:secret].");
                            assertThat(refusal.details())
                                    .isEqualTo(
                                            Map.of(
                                                    "all",
                                                    List.of(
                                                            "[REDACTED:secret]",
                                                            1,
                                                            Map.of("x", "[REDACTED:secret]"))));
                        });
    }

    @Test
    void a_resource_loses_exact_values_and_its_binary_content_stays() throws Exception {
        redaction.learn(Caller.LOCAL.id(), List.of(SECRET));
        var source =
                new ResourceSource() {
                    @Override
                    public Page list(Caller caller, Optional<String> after, int limit) {
                        return new Page(List.of(), Optional.empty());
                    }

                    @Override
                    public List<Template> templates(Caller caller) {
                        return List.of();
                    }

                    @Override
                    public Optional<List<ResourceContents>> read(Call call, String uri) {
                        return Optional.of(
                                List.of(
                                        new ResourceContents.Text(uri, "text/plain", ALL),
                                        new ResourceContents.Blob(uri, "x/y", "AAAA")));
                    }
                };

        assertThat(
                        broker(tool("any", _ -> ToolResult.text("")), source)
                                .read(FakeCall.by(Caller.LOCAL), "u"))
                .containsExactly(
                        new ResourceContents.Text(
                                "u", "text/plain", "[REDACTED:secret] " + TOKEN + " " + MAIL),
                        new ResourceContents.Blob("u", "x/y", "AAAA"));
    }

    @Test
    void words_of_the_server_survive_a_secret_that_is_one_of_them() throws Exception {
        var word = "Succ3ss-word";
        redaction.learn(Caller.LOCAL.id(), List.of(word));
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        properties.putObject(word).putArray("enum").add(word);
        properties.putObject("free").put("type", "string");
        var tool =
                new FixedTool(
                        ToolSpec.named("any", "any", "Does it.")
                                .taking(Json.object().put("type", "object"))
                                .returning(schema)
                                .build(),
                        false,
                        _ ->
                                ToolResult.structured(
                                        Json.object().put(word, word).put("free", "x" + word)));

        var result = call(tool);

        assertThat(result.structured().orElseThrow())
                .isEqualTo(Json.object().put(word, word).put("free", "x[REDACTED:secret]"));
    }

    @Test
    void a_tool_that_redacts_itself_is_believed() throws Exception {
        var tool = new FixedTool(spec("any"), true, _ -> ToolResult.text(ALL));

        assertThat(call(tool).content()).containsExactly(Content.text(ALL));
    }
}
