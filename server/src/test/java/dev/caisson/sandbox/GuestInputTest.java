package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A program reads what it was given from its standard input, and then its end; in a session too.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class GuestInputTest {
    private final Rig rig;

    GuestInputTest(Rig rig) {
        this.rig = rig;
    }

    private static GuestOrder input(String text) {
        return new GuestOrder(Optional.of(text), false);
    }

    /// Prints the first line it reads and how much follows.
    private static String reader(Language language) {
        return switch (language) {
            case PYTHON -> "import sys\nprint(input(), len(sys.stdin.read()))";
            case NODE, TYPESCRIPT ->
                    """
                    let all = ''
                    process.stdin.on('data', (part) => { all += part })
                    process.stdin.on('end', () => { console.log(all.split('\\n')[0], all.length - all.indexOf('\\n') - 1) })
                    """;
            case BASH -> "read -r line; echo \"$line\" $(cat | wc -c)";
        };
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_reads_its_input_to_the_end(Language language) throws Exception {
        var result = rig.run(language, reader(language), rig.workspace(), input("grüße\nrest\n"));
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("grüße 5\n");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void each_program_of_a_session_has_its_own(Language language) throws Exception {
        try (var book = new Guestbook(rig, language)) {
            assertThat(book.run(reader(language), input("one\n12\n")).stdout())
                    .isEqualTo("one 3\n");
            assertThat(book.run(reader(language), input("two\n1234\n")).stdout())
                    .isEqualTo("two 5\n");
            book.run(language == Language.BASH ? "read x" : "1", input("left\nunread\n"));
            var after =
                    switch (language) {
                        case PYTHON -> "import sys\nprint(len(sys.stdin.read()))";
                        case NODE, TYPESCRIPT ->
                                "console.log(require('node:fs').readFileSync(0).length)";
                        case BASH -> "cat | wc -c";
                    };
            assertThat(book.run(after).stdout()).isEqualTo("0\n");
        }
    }

    @Test
    void a_child_inherits_the_input() throws Exception {
        var code = "import subprocess\nsubprocess.run(['tr', 'a-z', 'A-Z'])";
        assertThat(rig.run(Language.PYTHON, code, rig.workspace(), input("loud")).stdout())
                .isEqualTo("LOUD");
    }
}
