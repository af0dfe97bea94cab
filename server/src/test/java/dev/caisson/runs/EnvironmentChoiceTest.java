package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runners;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Who decides which packages a run has.
class EnvironmentChoiceTest {
    private static final Runner PYTHON =
            new Runner("python", Language.PYTHON, "3.11.2", Runner.HOST);
    private static final Runners BARE = new Runners(Map.of(), List.of());

    @Test
    void a_name_that_is_not_there_is_refused_only_when_the_request_has_it() {
        assertThatThrownBy(() ->
                        EnvironmentChoice.of(
                                BARE, PYTHON, Optional.of(List.of("gone")), Optional.empty()))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("There is no environment 'gone' here. There are: none.");
        assertThat(
                        EnvironmentChoice.of(
                                        BARE,
                                        PYTHON,
                                        Optional.empty(),
                                        Optional.of(List.of("gone")))
                                .environments())
                .isEmpty();
    }

    @Test
    void names_are_told_apart_and_none_is_none() {
        assertThat(Packages.of(Optional.of(" a, b ,a"), Optional.empty()).environments())
                .contains(List.of("a", "b"));
        assertThat(Packages.of(Optional.of("none"), Optional.empty()).environments())
                .contains(List.of());
        assertThat(Packages.of(Optional.empty(), Optional.empty())).isEqualTo(Packages.USUAL);
        assertThatThrownBy(() -> Packages.of(Optional.of("a,b,c,d,e,f,g,h,i"), Optional.empty()))
                .isInstanceOf(Refusal.class);
        assertThat(Packages.of(Optional.of("a,b,c,d,e,f,g,h"), Optional.empty()).environments())
                .isPresent();
    }
}
