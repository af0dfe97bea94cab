package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.storage.tree.PathText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortableNameTest {
    @Test
    void ordinary_names_stay_as_they_are() {
        for (var name :
                List.of("a.txt", ".hidden", "a b", "über.md", "con-1", "console", "100%", "..a")) {
            assertThat(PortableName.of(name)).isEqualTo(name);
        }
    }

    @Test
    void what_windows_takes_for_something_else_is_written_in_digits() {
        var names =
                Map.ofEntries(
                        Map.entry("a\\b", "a%5Cb"),
                        Map.entry("..\\..\\x", "..%5C..%5Cx"),
                        Map.entry("C:x", "C%3Ax"),
                        Map.entry("a*?\"<>|", "a%2A%3F%22%3C%3E%7C"),
                        Map.entry("end.", "end%2E"),
                        Map.entry("end ", "end%20"),
                        Map.entry("...", "..%2E"),
                        Map.entry("CON", "%43ON"),
                        Map.entry("nul.tar.gz", "%6Eul.tar.gz"),
                        Map.entry("Com1 .x", "%43om1 .x"),
                        Map.entry("lpt\u00b2", "%6Cpt\u00b2"),
                        Map.entry("a\u202egnp.exe", "a%E2%80%AEgnp.exe"),
                        Map.entry("\u2066x\u200f", "%E2%81%A6x%E2%80%8F"),
                        Map.entry("a\u2028b", "a%E2%80%A8b"));
        names.forEach((name, portable) -> assertThat(PortableName.of(name)).isEqualTo(portable));
        assertThat(PortableName.of(new FilePath("aux/x:y/z"))).isEqualTo("%61ux/x%3Ay/z");
    }

    @Test
    void two_names_never_become_one() {
        var random = new Random(11);
        var alphabet = "%25ACc\\: .onN1\u202e\n";
        var seen = new HashMap<String, String>();
        for (var tries = 0; tries < 50_000; tries++) {
            var name = new StringBuilder();
            for (var length = random.nextInt(1, 6); length > 0; length--) {
                name.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            var bytes = name.toString().getBytes(StandardCharsets.UTF_8);
            var portable = PortableName.of(PathText.of(bytes));
            assertThat(PathText.bytes(portable)).as(portable).isEqualTo(bytes);
            assertThat(seen.merge(portable, name.toString(), (one, _) -> one))
                    .isEqualTo(name.toString());
        }
        assertThat(seen).hasSizeGreaterThan(10_000);
    }
}
