package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// How much of the output of a bake is kept.
class BakeOutputTest {
    private static final int MAX = EnvironmentSettings.DEFAULT.outputBytes();

    private static BakeOutput said(String text) {
        var output = new BakeOutput(MAX);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        output.add(bytes, 0, bytes.length);
        return output;
    }

    @Test
    void as_much_as_is_kept_is_shown_whole() {
        assertThat(MAX).isEqualTo(256 << 10);
        assertThat(said("x".repeat(MAX)).text()).isEqualTo("x".repeat(MAX));
        assertThat(said("é".repeat(MAX / 2)).text()).isEqualTo("é".repeat(MAX / 2));
    }

    @Test
    void what_is_more_is_counted() {
        assertThat(said("x".repeat(MAX + 1)).text())
                .startsWith("x".repeat(MAX))
                .endsWith("\n(1 more bytes are not kept)\n");
        assertThat(said("é".repeat(MAX / 2 + 1)).text()).contains("(2 more bytes are not kept)");
        var later = said("x".repeat(MAX));
        later.say("more");
        assertThat(later.text()).endsWith("(5 more bytes are not kept)\n");
    }

    @Test
    void passwords_of_addresses_are_struck() {
        assertThat(said("Looking in https://user:secret@pypi.example/simple").text())
                .isEqualTo("Looking in https://…@pypi.example/simple");
    }

    @Test
    void a_package_that_is_not_there_for_this_python_says_which_that_is() {
        assertThat(
                        complaint(
                                "Python 3.13.5",
                                "ERROR: none",
                                "ERROR: No matching distribution found for x==1"))
                .isEqualTo("ERROR: No matching distribution found for x==1 for Python 3.13.5");
        assertThat(complaint("Python 3.13.5", "ERROR: the disk is full"))
                .isEqualTo("ERROR: the disk is full");
    }

    @Test
    void npm_is_quoted_before_it_speaks_of_its_log() {
        var log = "A complete log of this run can be found in: /workspace/x.log";
        assertThat(complaint("npm error code E404", "npm error 404 Not Found", "npm error " + log))
                .isEqualTo("npm error 404 Not Found");
        assertThat(complaint("npm ERR! code E404", "npm ERR! 404 Not Found", "npm ERR! " + log))
                .isEqualTo("npm ERR! 404 Not Found");
    }

    @Test
    void what_has_no_mark_is_quoted_by_its_last_line() {
        assertThat(complaint("one", "two")).isEqualTo("two");
        assertThat(complaint()).isEqualTo("nothing was said");
    }

    private static String complaint(String... lines) {
        var output = new BakeOutput(10_000);
        for (var line : lines) {
            output.say(line);
        }
        return output.complaint();
    }
}
