package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolListing.Place;
import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// One rule says what a caller is listed and what it may call.
class ToolListingTest {
    private static final ToolListing DEFAULT = new ToolListing(Set.of("core", "files"));

    private static ToolSpec in(Toolset toolset) {
        return ToolSpec.named("tool", "Tool", "Does it.").in(toolset).within(Scope.RUN).build();
    }

    private static Caller naming(String... toolsets) {
        return Caller.LOCAL.seeing(Set.of(toolsets));
    }

    @Test
    void who_names_no_toolset_is_listed_the_default_and_may_call_all() {
        assertThat(DEFAULT.of(Caller.LOCAL, in(Toolset.CORE))).isEqualTo(Place.LISTED);
        assertThat(DEFAULT.of(Caller.LOCAL, in(Toolset.FILES))).isEqualTo(Place.LISTED);
        assertThat(DEFAULT.of(Caller.LOCAL, in(Toolset.CONVERSATION))).isEqualTo(Place.CALLABLE);
    }

    @Test
    void who_names_toolsets_is_listed_those() {
        var caller = naming("conversation");
        assertThat(DEFAULT.of(caller, in(Toolset.CONVERSATION))).isEqualTo(Place.LISTED);
        assertThat(DEFAULT.of(caller, in(Toolset.CORE))).isEqualTo(Place.UNKNOWN);
    }

    @Test
    void who_may_run_code_may_do_so_in_its_other_form() {
        assertThat(DEFAULT.of(naming("core"), in(Toolset.CONVERSATION))).isEqualTo(Place.CALLABLE);
        assertThat(DEFAULT.of(naming("files"), in(Toolset.CONVERSATION))).isEqualTo(Place.UNKNOWN);
    }

    @Test
    void a_tool_beyond_the_scopes_of_a_caller_is_unknown_to_it() {
        var reader = new Caller("r", "r", Set.of(Scope.FILES_READ), Set.of());
        for (var toolset : Toolset.values()) {
            assertThat(DEFAULT.of(reader, in(toolset))).isEqualTo(Place.UNKNOWN);
        }
    }

    @Test
    void without_a_default_everything_is_listed() {
        assertThat(ToolListing.ALL.of(Caller.LOCAL, in(Toolset.CONVERSATION)))
                .isEqualTo(Place.LISTED);
    }
}
