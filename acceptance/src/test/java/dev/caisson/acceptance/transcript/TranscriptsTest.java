package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.caisson.acceptance.FixtureServer;
import dev.caisson.acceptance.FixtureServer.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Plays every transcript there is.
@Tag("slow")
final class TranscriptsTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/transcripts");
    private static final int EXCHANGES_MIN = 100;

    @TestFactory
    Stream<DynamicContainer> every_transcript_is_answered_as_written() throws IOException {
        return all().stream()
                .map(transcript -> dynamicContainer(transcript.title(), tests(transcript)));
    }

    @Test
    void there_are_enough_exchanges_to_mean_anything() throws IOException {
        var exchanges = all().stream().mapToLong(Transcript::exchanges).sum();
        System.out.println(all().size() + " transcripts, " + exchanges + " expected answers");
        assertThat(exchanges).isGreaterThanOrEqualTo(EXCHANGES_MIN);
    }

    private static List<Transcript> all() throws IOException {
        try (var files = Files.list(DIRECTORY)) {
            return files.sorted().map(TranscriptsTest::read).toList();
        }
    }

    private static Transcript read(Path file) {
        try {
            return Transcript.parse(Files.readString(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Stream<? extends DynamicNode> tests(Transcript transcript) {
        return switch (transcript.server()) {
            case "open" -> shared(transcript, Setting.OPEN);
            case "open fresh" -> fresh(transcript, Setting.OPEN);
            case "keys" -> shared(transcript, Setting.KEYS);
            case "keys fresh" -> fresh(transcript, Setting.KEYS);
            case "small" -> shared(transcript, Setting.SMALL);
            default -> throw new IllegalArgumentException("no such server: " + transcript.server());
        };
    }

    /// One server for all cases, started with the first and stopped after the last.
    private static Stream<DynamicTest> shared(Transcript transcript, Setting setting) {
        var engine = FixtureServer.start(setting);
        return transcript.cases().stream()
                .map(one -> dynamicTest(one.name(), () -> play(engine, one)))
                .onClose(engine::close);
    }

    private static Stream<DynamicTest> fresh(Transcript transcript, Setting setting) {
        return transcript.cases().stream()
                .map(one ->
                        dynamicTest(
                                one.name(),
                                () -> {
                                    try (var engine = FixtureServer.start(setting)) {
                                        play(engine, one);
                                    }
                                }));
    }

    private static void play(FixtureServer engine, Transcript.Case one) throws IOException {
        try (var conversation = new Conversation(engine)) {
            conversation.play(one.blocks());
        }
    }
}
