package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.wire.Answer;
import dev.caisson.acceptance.wire.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// A whole answer, and what must hold for every one of them.
///
/// @param message the JSON-RPC answer, whether it came alone or as the last event of a stream
record Received(Answer head, String body, String message) {
    /// Nothing of this may ever leave the server: names of classes, lines of stack traces, what
    /// runs underneath, and what the fixture's fault says to itself.
    private static final List<String> INTERNALS =
            List.of(
                    "Exception",
                    "\tat ",
                    "dev.caisson",
                    "java.lang",
                    "java.util",
                    "org.eclipse",
                    "Jetty",
                    "jackson",
                    "inner-secret");

    static Received of(Answer answer) throws IOException {
        var bytes = answer.body().readAllBytes();
        var text = new String(bytes, StandardCharsets.UTF_8);
        checkInternals(answer.headers() + "\n" + text);
        return new Received(answer, text, answer.isEvents() ? lastMessage(bytes) : text);
    }

    private static String lastMessage(byte[] bytes) throws IOException {
        var in = new ByteArrayInputStream(bytes);
        var last = "";
        for (Optional<Event> event = Event.next(in); event.isPresent(); event = Event.next(in)) {
            last = event.get().data();
        }
        return last;
    }

    static void checkInternals(String text) {
        assertThat(text).doesNotContain(INTERNALS);
    }

    /// Compares with the lines of a transcript.
    void check(List<String> lines, Words words) {
        new Head(head).check(lines.getFirst());
        int at = 1;
        while (at < lines.size() && Head.isHeader(lines.get(at))) {
            new Head(head).checkHeader(words.fill(lines.get(at)), words);
            at++;
        }
        var wanted = String.join("\n", lines.subList(at, lines.size())).strip();
        if (wanted.equals("(empty)")) {
            assertThat(body).isEmpty();
        } else if (wanted.startsWith("{") || wanted.startsWith("[")) {
            Expected.json(wanted, message, words);
        } else if (!wanted.isEmpty()) {
            assertThat(TextPattern.matches(words.fill(wanted), body, words))
                    .as("the body is %s", body)
                    .isTrue();
        }
    }
}
