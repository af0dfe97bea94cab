package dev.caisson.runs;

import dev.caisson.call.Remedy;
import dev.caisson.output.OutputCapture;
import dev.caisson.sandbox.Sink.Stream;

/// Output of a program that still runs, from a cursor on. What is too much for an answer is left
/// out in the middle and can be read where it is kept.
///
/// @param next what to continue from
public record NewOutput(String stdout, String stderr, OutputCursor next) {
    /// A stretch of a stream.
    ///
    /// @param end where the next one begins
    private record Part(String text, long end) {}

    /// Reads what can be shown now.
    static NewOutput of(RunOutput output, String owner, String id, OutputCursor since) {
        var reader = new Reader(output, owner, id, output.inlineBytes());
        var stdout = reader.read(Stream.STDOUT, since.stdout());
        var stderr = reader.read(Stream.STDERR, since.stderr());
        return new NewOutput(
                stdout.text(), stderr.text(), new OutputCursor(stdout.end(), stderr.end()));
    }

    private record Reader(RunOutput output, String owner, String id, int limit) {
        Part read(Stream stream, long from) {
            var waiting = output.storedBytes(owner, id, stream) - from;
            if (waiting <= limit) {
                return stretch(stream, from, limit);
            }
            var head = stretch(stream, from, limit / 2);
            var start = from + waiting - limit / 2;
            var tail = stretch(stream, start, limit / 2);
            var line = tail.text().indexOf('\n') + 1;
            return new Part(
                    head.text()
                            + "\n[... about %d bytes of %s omitted; %s with offset %d has them ...]\n"
                                    .formatted(
                                            start - head.end(),
                                            OutputCapture.word(stream),
                                            Remedy.READ_OUTPUT.word(),
                                            head.end())
                            + tail.text().substring(line),
                    tail.end());
        }

        /// The last bytes of a stream are judged apart from those before them.
        private Part stretch(Stream stream, long from, int most) {
            var text = new StringBuilder();
            var at = from;
            for (var piece = output.follow(owner, id, stream, at, most);
                    piece.nextOffset() > at && at - from < most;
                    piece = output.follow(owner, id, stream, at, left(most, at - from))) {
                text.append(piece.text());
                at = piece.nextOffset();
            }
            return new Part(text.toString(), at);
        }

        private static int left(int most, long taken) {
            return (int) Math.max(1, most - taken);
        }
    }
}
