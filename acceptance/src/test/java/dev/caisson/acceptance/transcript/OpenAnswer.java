package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.acceptance.wire.Answer;
import dev.caisson.acceptance.wire.Connection;
import dev.caisson.acceptance.wire.Event;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// An answer that stays open while the transcript goes on.
final class OpenAnswer implements AutoCloseable {
    private static final Duration MOMENT = Duration.ofMillis(400);

    private final Connection connection;
    private Optional<Answer> answer = Optional.empty();

    OpenAnswer(Connection connection) {
        this.connection = connection;
    }

    void check(List<String> lines, Words words) throws IOException {
        var first = lines.getFirst();
        if (!first.startsWith("<")) {
            checkHead(lines, words);
            return;
        }
        var wanted = String.join("\n", lines).substring(1).strip();
        switch (wanted) {
            case "nothing" -> checkNothing();
            case "end" -> assertThat(next()).isEmpty();
            case "gone" -> assertThatThrownBy(this::next).isInstanceOf(IOException.class);
            case "priming" -> checkPriming(Event.next(answer().body()).orElseThrow(), words);
            case "comment" -> assertThat(answer().body().read()).isEqualTo(':');
            default -> checkEvent(next().orElseThrow(), wanted, words);
        }
    }

    private void checkHead(List<String> lines, Words words) throws IOException {
        var head = new Head(answer());
        head.check(lines.getFirst());
        for (var line : lines.subList(1, lines.size())) {
            head.checkHeader(words.fill(line), words);
        }
    }

    /// A stream on which a comment arrives is as silent as one on which nothing does.
    private void checkNothing() throws IOException {
        connection.patience(MOMENT);
        assertThatThrownBy(this::next).isInstanceOf(SocketTimeoutException.class);
        connection.patience(Connection.PATIENCE);
    }

    private static void checkPriming(Event event, Words words) {
        words.remember("event", event.id().orElseThrow());
        assertThat(event.data()).isEmpty();
    }

    private static void checkEvent(Event event, String wanted, Words words) {
        Received.checkInternals(event.data());
        event.id().ifPresent(id -> words.remember("event", id));
        if (wanted.startsWith("{")) {
            assertThat(event.name()).isEqualTo("message");
            Expected.json(wanted, event.data(), words);
            return;
        }
        var nameAndData = wanted.split(" ", 2);
        assertThat(event.name()).isEqualTo(nameAndData[0]);
        assertThat(TextPattern.matches(words.fill(nameAndData[1]), event.data(), words))
                .as("%s, but the data is %s", wanted, event.data())
                .isTrue();
    }

    /// The next event that says something.
    private Optional<Event> next() throws IOException {
        Optional<Event> event;
        do {
            event = Event.next(answer().body());
        } while (event.filter(one -> one.data().isEmpty()).isPresent());
        return event;
    }

    private Answer answer() throws IOException {
        if (answer.isEmpty()) {
            answer = Optional.of(connection.answer());
        }
        return answer.get();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
