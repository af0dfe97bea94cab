package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.transcript.Transcript.Block;
import dev.caisson.acceptance.wire.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/// Plays one case of a transcript over HTTP. After every exchange another caller is served too.
final class Conversation implements AutoCloseable {
    private static final String EVENTUALLY = "eventually";
    private static final List<String> NEXT_CALLER =
            List.of(
                    "POST /mcp",
                    "key: alice",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"next\",\"method\":\"tools/call\","
                            + "\"params\":{\"name\":\"test_simple_text\"}}");
    private static final List<String> IS_SERVED =
            List.of(
                    "200",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"next\",\"result\":{\"content\":[{\"type\":\"text\","
                            + "\"text\":\"This is a simple text response for testing.\"}], ...}}");

    private final Subject subject;
    private final Words words = new Words();
    private final RequestText requests;
    private final Map<String, OpenAnswer> open = new HashMap<>();

    Conversation(Subject subject) {
        this.subject = subject;
        this.requests = new RequestText(subject, words);
        words.remember("port", Integer.toString(subject.port()));
    }

    void play(List<Block> blocks) throws IOException {
        for (int i = 0; i < blocks.size(); i++) {
            var block = blocks.get(i);
            if (block.label().isEmpty()) {
                exchange(block.lines(), blocks.get(++i).lines());
            } else if (block.label().equals(EVENTUALLY)) {
                eventually(block.lines(), blocks.get(++i).lines());
            } else {
                step(block);
                continue;
            }
            exchange(NEXT_CALLER, IS_SERVED);
        }
    }

    private void eventually(List<String> request, List<String> wanted) {
        Awaitility.await()
                .atMost(Connection.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> exchange(request, wanted));
    }

    private void exchange(List<String> request, List<String> wanted) throws IOException {
        try (var connection = new Connection(subject.port())) {
            connection.send(requests.bytes(request));
            Received.of(connection.answer()).check(wanted, words);
        }
    }

    private void step(Block block) throws IOException {
        if (!block.fromClient()) {
            named(block.label()).check(block.lines(), words);
        } else if (block.lines().equals(List.of("close"))) {
            named(block.label()).close();
        } else {
            var connection = new Connection(subject.port());
            open.put(block.label(), new OpenAnswer(connection));
            connection.send(requests.bytes(block.lines()));
        }
    }

    private OpenAnswer named(String label) {
        assertThat(open).as("open answers").containsKey(label);
        return open.getOrDefault(label, open.values().iterator().next());
    }

    @Override
    public void close() {
        open.values()
                .forEach(answer -> {
                    try {
                        answer.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }
}
