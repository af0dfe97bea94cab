package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolListing.Mode;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ToolListingTest {
    private record Input(String code, int timeout, String odd) {}

    private record None() {}

    private static final Set<String> DEFAULTS = Set.of("core", "files");

    private static Tool tool(ToolSpec.Builder spec) {
        return TypedTool.withBody(spec, None.class, (_, _, _) -> ToolResult.text(""));
    }

    private static Tool own(String name, Toolset toolset) {
        return tool(ToolSpec.named(name, name, "Does it.").in(toolset).within(Scope.RUN));
    }

    private static Tool upstream(String server, String name) {
        var origin = new ToolOrigin(server, name, name, name, "0a", ToolEffect.READ, false);
        return tool(
                ToolSpec.named(server + "__" + name, name, "Does it.")
                        .from(origin)
                        .in(Toolset.upstream(server))
                        .within(Scope.TOOLS));
    }

    private static List<Tool> ours() {
        return List.of(
                TypedTool.withBody(
                        ToolSpec.named("execute", "Run", "Runs, in many words.")
                                .within(Scope.RUN)
                                .alsoInCode("Runs.", "timeout"),
                        Input.class,
                        (_, _, _) -> ToolResult.text("")),
                own("other", Toolset.CORE),
                own("files", Toolset.FILES),
                own("conversation", Toolset.CONVERSATION),
                tool(ToolSpec.named("search", "Find", "Finds.").in(Toolset.CODE).namingServers()));
    }

    private static Catalogue catalogue(Mode mode, Tool... others) {
        ToolSource own = _ -> ToolIndex.of(ours());
        var foreign = ToolIndex.of(List.of(others));
        return new Catalogue(List.of(own, _ -> foreign), new ToolListing(DEFAULTS, mode));
    }

    private static List<String> listed(Mode mode, Caller caller, Tool... others) {
        return catalogue(mode, others).listedTo(caller).stream().map(ToolSpec::name).toList();
    }

    private static Caller naming(String... toolsets) {
        return Caller.LOCAL.seeing(Set.of(toolsets));
    }

    @Test
    void who_names_no_toolset_is_listed_the_default_and_may_call_all() {
        assertThat(listed(Mode.AUTO, Caller.LOCAL)).containsExactly("execute", "files", "other");
        assertThat(catalogue(Mode.AUTO).callableBy(Caller.LOCAL)).hasSize(5);
    }

    @Test
    void who_names_toolsets_is_listed_those() {
        assertThat(listed(Mode.AUTO, naming("conversation"))).containsExactly("conversation");
        assertThat(catalogue(Mode.AUTO).find(naming("files"), "other").spec()).isEmpty();
        assertThat(catalogue(Mode.AUTO).find(naming("core"), "conversation").spec()).isPresent();
        assertThat(catalogue(Mode.AUTO).find(naming("files"), "conversation").spec()).isEmpty();
    }

    @Test
    void who_may_call_tools_of_other_servers_is_listed_those_of_code() {
        var tool = upstream("github", "create_issue");
        assertThat(listed(Mode.AUTO, Caller.LOCAL, tool)).containsExactly("execute", "search");
        assertThat(catalogue(Mode.AUTO, tool).callableBy(Caller.LOCAL)).hasSize(6);
        var without = new Caller("key:r", "r", Set.of(Scope.RUN), Set.of());
        assertThat(listed(Mode.AUTO, without, tool)).containsExactly("execute", "files", "other");
    }

    @Test
    void the_mode_may_be_forced() {
        var tool = upstream("github", "create_issue");
        assertThat(listed(Mode.CODE, Caller.LOCAL)).containsExactly("execute", "search");
        assertThat(listed(Mode.ALL, Caller.LOCAL, tool))
                .containsExactly("execute", "files", "github__create_issue", "other");
        assertThat(listed(Mode.CODE, naming("files"), tool)).containsExactly("files");
    }

    @Test
    void code_is_a_short_list_to_all_a_caller_may_call() {
        var tools = catalogue(Mode.AUTO, upstream("github", "get"));
        var caller = naming("code");
        assertThat(tools.listedTo(caller))
                .extracting(ToolSpec::name)
                .containsExactly("execute", "search");
        assertThat(tools.callableBy(caller)).hasSize(6);
        var execute = tools.listedTo(caller).getFirst();
        assertThat(execute.description()).isEqualTo("Runs.");
        assertThat(execute.inputSchema().get("properties").propertyNames())
                .containsExactlyInAnyOrder("code", "timeout", "odd");
        assertThat(tools.find(caller, "execute").spec().orElseThrow().description())
                .isEqualTo("Runs, in many words.");
    }

    @Test
    void the_tools_of_one_server_are_listed_to_who_names_it() {
        var one = upstream("github", "get");
        var other = upstream("drive", "get");
        assertThat(listed(Mode.AUTO, naming("up_github"), one, other))
                .containsExactly("github__get");
        assertThat(listed(Mode.AUTO, naming("up_github", "files"), one, other))
                .containsExactly("files", "github__get");
        assertThat(Toolset.exists("up_github")).isTrue();
        assertThat(Toolset.exists("up_")).isFalse();
        assertThat(Toolset.exists("up_GitHub")).isFalse();
    }

    @Test
    void servers_are_named_and_not_counted() {
        var two = catalogue(Mode.AUTO, upstream("github", "get"), upstream("drive", "get"));
        assertThat(two.listedTo(Caller.LOCAL).getLast().description())
                .isEqualTo("Finds. Servers: caisson, drive, github.");
        var more =
                catalogue(
                        Mode.AUTO,
                        upstream("github", "get"),
                        upstream("drive", "get"),
                        upstream("drive", "put"));
        assertThat(more.listedTo(Caller.LOCAL)).isEqualTo(two.listedTo(Caller.LOCAL));
        var many =
                IntStream.rangeClosed(0, ServerNames.NAMED_MAX)
                        .mapToObj(number -> upstream("s" + (100 + number), "get"))
                        .toArray(Tool[]::new);
        assertThat(catalogue(Mode.AUTO, many).listedTo(Caller.LOCAL).getLast().description())
                .endsWith(", s139 and more.");
    }

    @Test
    void a_tool_beyond_the_scopes_of_a_caller_is_unknown_to_it() {
        var reader = new Caller("r", "r", Set.of(Scope.FILES_READ), Set.of());
        assertThat(catalogue(Mode.AUTO, upstream("a", "b")).callableBy(reader))
                .extracting(ToolSpec::name)
                .containsExactly("search");
    }

    @Test
    void only_callers_whose_list_changes_are_told() {
        var changes = new Changes();
        var listing = new ToolListing(DEFAULTS, Mode.AUTO);
        var tools = new ToolList(List.of(upstream("github", "get")), changes, listing);
        var told = new ArrayList<String>();
        changes.listen(Caller.LOCAL, _ -> told.add("code"));
        changes.listen(naming("up_github"), _ -> told.add("direct"));
        changes.listen(naming("files"), _ -> told.add("files"));

        tools.replace(List.of(upstream("github", "get"), upstream("github", "put")));
        assertThat(told).containsExactly("direct");
        tools.replace(Stream.of("get", "put").map(name -> upstream("drive", name)).toList());
        assertThat(told).containsExactlyInAnyOrder("direct", "direct", "code");
    }
}
