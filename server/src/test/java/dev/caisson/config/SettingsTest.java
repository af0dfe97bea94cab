package dev.caisson.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static final Path DOCUMENT = Path.of("../docs/configuration.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z_.]+)` \\| (\\w+) \\| (.*?) \\| (.*?) \\|$");

    private record Row(String name, String type, String initial, String doc) {
        static Row of(MatchResult match) {
            return new Row(match.group(1), match.group(2), match.group(3), match.group(4));
        }

        static Row of(Setting<?> setting) {
            var doc = setting.doc();
            var also = setting.alsoRead();
            return new Row(
                    setting.name(),
                    setting.type().word(),
                    setting.initial().isEmpty() ? "" : "`" + setting.initial() + "`",
                    also.isEmpty() ? doc : doc + " Also `" + also.getFirst() + "`.");
        }
    }

    @Test
    void every_key_is_documented_and_nothing_else_is() throws IOException {
        var documented = ROW.matcher(Files.readString(DOCUMENT)).results().map(Row::of).toList();

        assertThat(documented).hasSizeGreaterThan(40);
        assertThat(documented).containsExactlyElementsOf(expected());
    }

    @Test
    void every_default_is_a_valid_value() {
        assertThat(Settings.ALL).hasSizeGreaterThan(40);
        for (var setting : Settings.ALL) {
            if (!setting.equals(Settings.DATA_DIRECTORY)) {
                assertThat(setting.type().read(setting.initial())).isNotNull();
            }
        }
    }

    @Test
    void no_two_keys_share_a_name_or_a_variable() {
        assertThat(Settings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
        assertThat(Settings.ALL).extracting(Setting::variable).doesNotHaveDuplicates();
        assertThat(Settings.ALL).flatExtracting(Setting::alsoRead).doesNotHaveDuplicates();
    }

    private static List<Row> expected() {
        return Settings.ALL.stream().<Row>map(Row::of).toList();
    }
}
