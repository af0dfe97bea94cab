package dev.caisson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Records that declare keys, and what is made of them.
class DeclarationsTest {
    enum Colour {
        RED,
        DARK_BLUE
    }

    record Tank(
            @Key(name = "tank.bytes", initial = "2MiB", min = "1KiB", max = "1GiB", doc = "Room.")
                    int bytes,
            @Key(name = "tank.taps", initial = "2", min = "1", max = "4", doc = "Taps.") int taps,
            @Fixed("5s, 1m") List<Duration> pauses) {
        Tank {
            if (taps > bytes >> 20) {
                throw new Contradiction("tank.taps", "is more than it has MiB", "Lower it.");
            }
        }
    }

    record House(
            Tank tank,
            @Key(name = "house.colours", initial = "dark_blue", doc = "Colours.")
                    Set<Colour> colours,
            @Key(name = "house.door", doc = "Its colour.") Optional<Colour> door,
            @Key(name = "house.key", form = Form.SECRET, secret = true, doc = "Opens it.")
                    Optional<String> key,
            @Key(name = "house.age", initial = "1d", min = "1s", max = "2d", doc = "Age.")
                    Duration age) {}

    record Street(House house, Tank tank) {}

    record Twice(
            Tank tank,
            @Key(name = "tank.taps", initial = "1", min = "1", max = "2", doc = "Other taps.")
                    int taps) {}

    record Nothing(Tank tank, String name) {}

    @Test
    void a_default_is_that_of_the_component() {
        var house = Defaults.of(House.class);

        assertThat(house.tank())
                .isEqualTo(
                        new Tank(
                                2 << 20, 2, List.of(Duration.ofSeconds(5), Duration.ofMinutes(1))));
        assertThat(house.colours()).containsExactly(Colour.DARK_BLUE);
        assertThat(house.door()).isEmpty();
        assertThat(house.age()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void a_record_that_stands_at_two_places_gets_the_same_values() throws Mistakes {
        var street = read(Street.class, "tank.bytes", "4MiB", "house.door", "red");

        assertThat(street.tank()).isEqualTo(street.house().tank());
        assertThat(street.tank().bytes()).isEqualTo(4 << 20);
        assertThat(street.house().door()).contains(Colour.RED);
        assertThat(Declarations.of(Street.class).all()).hasSize(6);
    }

    @Test
    void a_key_is_declared_once() {
        assertThatThrownBy(() -> Declarations.of(Twice.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("tank.taps", "Tank", "Twice");
    }

    @Test
    void a_component_has_a_key_or_a_fixed_value_or_is_such_a_record() {
        assertThatThrownBy(() -> Defaults.of(Nothing.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }

    /// Also where a record stands twice, and one refuses its values.
    @Test
    void each_mistake_is_told_once_and_all_of_them_are() {
        assertThatThrownBy(() ->
                        read(
                                Street.class,
                                "tank.taps",
                                "3",
                                "house.age",
                                "3d",
                                "house.colours",
                                "red,green",
                                "house.key",
                                "a b",
                                "house.dor",
                                "red"))
                .isInstanceOfSatisfying(
                        Mistakes.class,
                        wrong ->
                                assertThat(wrong.all())
                                        .extracting(Mistake::sentence)
                                        .containsExactlyInAnyOrder(
                                                "house.dor (flag --set) is not a known key. Did you"
                                                        + " mean house.door?",
                                                "tank.taps = \"3\" (flag --set) is more than it has"
                                                        + " MiB. Lower it.",
                                                "house.age = \"3d\" (flag --set) must be a duration"
                                                        + " from 1s to 2d (units ms, s, m, h, d)."
                                                        + " Correct it; the default is 1d.",
                                                "house.colours = \"red,green\" (flag --set) must be"
                                                        + " any of red, dark_blue, separated by"
                                                        + " commas. Correct it; the default is"
                                                        + " dark_blue.",
                                                "house.key (flag --set) must be at least 8"
                                                        + " characters without a space. Leave it"
                                                        + " out, or correct it."));
    }

    @Test
    void a_size_holds_on_both_sides() throws Mistakes {
        assertThat(read(Tank.class, "tank.bytes", "1GiB").bytes()).isEqualTo(1 << 30);
        assertThatThrownBy(() -> read(Tank.class, "tank.bytes", "1073741825"))
                .isInstanceOf(Mistakes.class)
                .hasMessageContaining("a size from 1KiB to 1GiB");
        assertThatThrownBy(() -> read(Tank.class, "tank.taps", "5"))
                .isInstanceOf(Mistakes.class)
                .hasMessageContaining("a whole number from 1 to 4");
    }

    private static <R extends Record> R read(Class<R> type, String... pairs) throws Mistakes {
        var flags = new ArrayList<Given>();
        for (int n = 0; n < pairs.length; n += 2) {
            flags.add(Given.flag(pairs[n], pairs[n + 1], "--set"));
        }
        var sources =
                new Sources(Optional.empty(), Map.of(), flags, Path.of("/nonexistent"), false);
        return Effective.read(type, sources).as(type);
    }
}
