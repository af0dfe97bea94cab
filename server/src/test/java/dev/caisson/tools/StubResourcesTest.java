package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallPolicy;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Consent;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.Recording;
import dev.caisson.broker.ResourceSource.Resource;
import dev.caisson.broker.ResourceSource.Template;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.ToolStub;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The functions that programs call are resources: modules are listed, functions have a template.
class StubResourcesTest {
    private final List<RecordedCall> recorded = new ArrayList<>();
    private final Changes changes = new Changes();
    private final Broker broker =
            new Broker(
                    new Broker.Sources(
                            List.of(
                                    new ToolList(
                                            List.of(
                                                    ToolDescribe.tool(
                                                            this::broker, Learned.NOTHING)),
                                            changes),
                                    new ToolList(UpstreamInventory.of(96), changes)),
                            List.of(new StubResources(this::broker, Learned.NOTHING)),
                            List.of()),
                    new CallRules(CallPolicy.ALLOW_ALL, Consent.NOBODY),
                    changes,
                    new Recording(recorded::add, new Metrics(), Clock.systemUTC()),
                    Redaction.standard());

    private Broker broker() {
        return broker;
    }

    private String read(String uri) throws Exception {
        var content = broker.read(FakeCall.by(Caller.LOCAL), uri).getFirst();
        assertThat(content).isInstanceOf(ResourceContents.Text.class);
        return ((ResourceContents.Text) content).text();
    }

    private ToolSpec any() {
        return ToolSearch.findable(broker, Caller.LOCAL).getFirst();
    }

    @Test
    void modules_are_listed_and_functions_have_a_template() {
        var page = broker.resources(Caller.LOCAL, Optional.empty(), 100);
        assertThat(page.resources().stream().map(Resource::uri))
                .contains("caisson://tools/billing", "caisson://tools/wiki")
                .hasSizeGreaterThan(4);
        assertThat(broker.templates(Caller.LOCAL).stream().map(Template::uriTemplate))
                .containsExactly(StubResources.MODULE, StubResources.FUNCTION);
        var stranger = new Caller("key:s", "s", Set.of(Scope.FILES_READ), Set.of());
        assertThat(broker.resources(stranger, Optional.empty(), 100).resources()).isEmpty();
        assertThat(broker.templates(stranger)).isEmpty();
    }

    @Test
    void a_function_is_read_as_its_stub_in_each_format() throws Exception {
        var origin = any().effectiveOrigin();
        var uri = "caisson://tools/" + origin.server() + "/" + origin.function();
        assertThat(read(uri)).contains("def " + origin.function() + "(");
        assertThat(read(uri)).isEqualTo(read(uri + "?format=python"));
        assertThat(read(uri + "?format=typescript"))
                .contains("export function " + origin.jsFunction() + "(");
        assertThat(Json.parse(read(uri + "?format=schema")).has("input_schema")).isTrue();
        assertThat(recorded).hasSize(5).allMatch(call -> call.tool().equals("resource_read"));
    }

    @Test
    void a_module_is_read_as_the_file_that_programs_find() throws Exception {
        var module = any().server();
        var tools =
                broker.callable(Caller.LOCAL).stream()
                        .filter(tool -> tool.server().equals(module))
                        .toList();
        assertThat(tools).hasSizeGreaterThan(1);
        for (var format : List.of("python", "typescript", "schema")) {
            var stub = ToolStub.valueOf(format.toUpperCase(java.util.Locale.ROOT));
            assertThat(read("caisson://tools/" + module + "?format=" + format))
                    .isEqualTo(stub.ofModule(tools, Learned.NOTHING));
        }
    }

    @Test
    void what_is_not_there_is_unknown_and_another_format_is_refused() {
        var module = any().server();
        for (var uri :
                List.of(
                        "caisson://tools/",
                        "caisson://tools/nobody",
                        "caisson://tools/" + module + "/nothing",
                        "caisson://tools/" + module + "/../x",
                        "caisson://tools/" + module + "?other=1")) {
            assertThatThrownBy(() -> read(uri))
                    .as(uri)
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal ->
                                    assertThat(refusal.reason())
                                            .isEqualTo(Reason.UNKNOWN_RESOURCE));
        }
        assertThatThrownBy(() -> read("caisson://tools/" + module + "?format=cobol"))
                .hasMessageContaining("python, typescript or schema");
    }

    @Test
    void arguments_of_the_template_are_completed() {
        assertThat(complete("module", "bil")).containsExactly("billing");
        assertThat(complete("format", "")).containsExactly("python", "typescript", "schema");
        assertThat(complete("function", any().effectiveOrigin().function())).isNotEmpty();
        assertThat(complete("other", "")).isEmpty();
    }

    private List<String> complete(String argument, String prefix) {
        return broker.completeTemplate(Caller.LOCAL, StubResources.FUNCTION, argument, prefix);
    }
}
