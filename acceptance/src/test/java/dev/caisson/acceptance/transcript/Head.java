package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.wire.Answer;

/// The status and the headers of an answer, compared with the lines of a transcript.
record Head(Answer answer) {
    static boolean isHeader(String line) {
        return line.matches("!?[A-Za-z-]+(:.*)?");
    }

    /// @param line the status, then the type if it matters
    void check(String line) {
        var words = line.split(" ", 2);
        assertThat(answer.status()).as("status").isEqualTo(Integer.parseInt(words[0]));
        if (words.length > 1) {
            assertThat(answer.header("content-type").orElse("")).startsWith(words[1]);
        }
    }

    void checkHeader(String line, Words words) {
        if (line.startsWith("!")) {
            assertThat(answer.header(line.substring(1))).as(line).isEmpty();
            return;
        }
        var colon = line.indexOf(':');
        var value = answer.header(line.substring(0, colon)).orElse("(none)");
        assertThat(TextPattern.matches(line.substring(colon + 1).strip(), value, words))
                .as("%s, which is %s", line, value)
                .isTrue();
    }
}
