package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private record Other(String name, String title) {}

    private static Tool tool(String name) {
        return tool(ToolSpec.named(name, name, "Does " + name + "."));
    }

    private static Tool titled(String title) {
        return tool(ToolSpec.named("a", title, "."));
    }

    private static Tool tool(ToolSpec.Builder spec) {
        return TypedTool.withBody(spec, Other.class, (_, _, _) -> ToolResult.text(""));
    }

    private static ToolSource source(Tool... tools) {
        var index = ToolIndex.of(List.of(tools));
        return _ -> index;
    }

    private static String found(Catalogue catalogue, Caller caller, String name) {
        return catalogue.find(caller, name).spec().map(ToolSpec::title).orElse("");
    }

    @Test
    void names_that_differ_in_case_are_different_tools() {
        var catalogue = new Catalogue(List.of(source(tool("read"), tool("Read"))), ToolListing.ALL);

        assertThat(catalogue.listedTo(Caller.LOCAL)).hasSize(2);
        for (var name : List.of("read", "Read")) {
            assertThat(found(catalogue, Caller.LOCAL, name)).isEqualTo(name);
        }
        assertThat(catalogue.find(Caller.LOCAL, "READ").spec()).isEmpty();
    }

    @Test
    void tools_of_several_sources_stand_in_one_list_and_the_first_of_a_name_counts() {
        var first = titled("first");
        var second = titled("second");
        var catalogue =
                new Catalogue(
                        List.of(source(tool("c"), first), source(second, tool("b"))),
                        ToolListing.ALL);

        assertThat(catalogue.listedTo(Caller.LOCAL))
                .extracting(ToolSpec::name)
                .containsExactly("a", "b", "c");
        assertThat(found(catalogue, Caller.LOCAL, "a")).isEqualTo("first");
    }

    @Test
    void a_listed_name_counts_before_the_alias_of_an_earlier_source() {
        var aliased = tool(ToolSpec.named("a", "aliased", ".").alsoCalled("b", "c"));
        var catalogue = new Catalogue(List.of(source(aliased), source(tool("b"))), ToolListing.ALL);

        assertThat(found(catalogue, Caller.LOCAL, "b")).isEqualTo("b");
        assertThat(found(catalogue, Caller.LOCAL, "c")).isEqualTo("aliased");
    }

    @Test
    void a_tool_is_found_by_its_server_and_its_name_there() {
        var origin =
                new ToolOrigin(
                        "github", "get_doc", "getDoc", "get-doc", "0a", ToolEffect.READ, false);
        var foreign =
                ToolSpec.named("github__get_doc", "Get", "Gets.").from(origin).in("up_github");
        var catalogue =
                new Catalogue(List.of(source(tool("own")), source(tool(foreign))), ToolListing.ALL);

        assertThat(catalogue.findOrigin(Caller.LOCAL, "github", "get-doc").spec())
                .hasValueSatisfying(spec -> assertThat(spec.name()).isEqualTo("github__get_doc"));
        assertThat(catalogue.findOrigin(Caller.LOCAL, "github", "get_doc").spec()).isEmpty();
        assertThat(catalogue.findOrigin(Caller.LOCAL, "caisson", "own").spec()).isPresent();
        var narrowed = Caller.LOCAL.seeing(Set.of("core"));
        assertThat(catalogue.findOrigin(narrowed, "github", "get-doc").spec()).isEmpty();
    }

    @Test
    void a_source_may_have_other_tools_for_each_caller() {
        var anna = new Caller("anna", "Anna", Set.of(), Set.of());
        var own = ToolIndex.of(List.of(tool("own")));
        var none = ToolIndex.of(List.of());
        ToolSource ofAnna = caller -> caller.equals(anna) ? own : none;
        var catalogue = new Catalogue(List.of(source(tool("all")), ofAnna), ToolListing.ALL);

        assertThat(catalogue.listedTo(anna)).extracting(ToolSpec::name).contains("own", "all");
        assertThat(found(catalogue, anna, "own")).isEqualTo("own");
        assertThat(catalogue.listedTo(Caller.LOCAL)).hasSize(1);
        assertThat(catalogue.find(Caller.LOCAL, "own").spec()).isEmpty();
    }

    @Test
    void the_change_of_one_source_leaves_the_tools_of_others_alone() {
        var changes = new Changes();
        var kept = source(tool("kept"));
        var replaced = new ToolList(List.of(tool("old")), changes);
        var catalogue = new Catalogue(List.of(kept, replaced), ToolListing.ALL);
        var before = catalogue.find(Caller.LOCAL, "kept").entry();

        replaced.replace(List.of(tool("new")));

        assertThat(catalogue.listedTo(Caller.LOCAL))
                .extracting(ToolSpec::name)
                .containsExactly("kept", "new");
        assertThat(catalogue.find(Caller.LOCAL, "kept").entry()).isEqualTo(before);
    }
}
