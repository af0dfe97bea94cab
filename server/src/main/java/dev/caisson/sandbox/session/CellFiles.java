package dev.caisson.sandbox.session;

import dev.caisson.sandbox.Box;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Files of a session's programs, each that its interpreter can read and not change. The latest
/// stay, so that errors in what they defined can show the lines; older ones go when all of them
/// take too much.
final class CellFiles {
    static final long BYTES_MAX = 4L << 20;

    private record Kept(String name, long bytes) {}

    private final Box box;
    private final String ending;
    private final Deque<Kept> kept = new ArrayDeque<>();
    private long bytes;
    private long count;
    private Optional<String> lastInput = Optional.empty();

    /// @param likeThis a name with the ending the language wants
    CellFiles(Box box, String likeThis) {
        this.box = box;
        this.ending = likeThis.substring(likeThis.lastIndexOf('.'));
    }

    /// Writes what the next cell reads; that of the one before goes.
    ///
    /// @return the file's path inside
    Optional<String> input(Optional<String> text) throws IOException {
        if (lastInput.isPresent()) {
            box.remove(lastInput.get());
            lastInput = Optional.empty();
        }
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var name = "stdin-" + count;
        lastInput = Optional.of(name);
        return Optional.of(box.put(name, text.get().getBytes(StandardCharsets.UTF_8)));
    }

    /// @return the file's path inside
    String write(String code) throws IOException {
        var name = "cell-" + ++count + ending;
        var text = code.getBytes(StandardCharsets.UTF_8);
        var path = box.put(name, text);
        kept.addLast(new Kept(name, text.length));
        bytes += text.length;
        while (bytes > BYTES_MAX && kept.size() > 1) {
            var oldest = kept.removeFirst();
            box.remove(oldest.name());
            bytes -= oldest.bytes();
        }
        return path;
    }
}
