package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private record Other(String name, String title) {}

    private static Tool tool(String name) {
        return TypedTool.of(
                ToolSpec.of(name, name, "Does " + name + "."),
                Other.class,
                (_, _) -> ToolResult.text(name));
    }

    @Test
    void names_that_differ_in_case_are_different_tools() {
        var catalogue = new Catalogue(List.of(tool("read"), tool("Read")));

        assertThat(catalogue.visibleTo(Caller.LOCAL)).hasSize(2);
        for (var name : List.of("read", "Read")) {
            assertThat(catalogue.find(Caller.LOCAL, name).orElseThrow().tool().spec().name())
                    .isEqualTo(name);
        }
        assertThat(catalogue.find(Caller.LOCAL, "READ")).isEmpty();
    }
}
