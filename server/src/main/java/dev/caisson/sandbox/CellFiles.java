package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/// The programs of a session, each a file that its interpreter can read and not change. The latest
/// stay, so that errors in what they defined can show the lines; older ones go when all of them
/// take too much.
final class CellFiles {
    static final long BYTES_MAX = 4L << 20;

    private record Kept(Path file, long bytes) {}

    private final Slot slot;
    private final String ending;
    private final Deque<Kept> kept = new ArrayDeque<>();
    private long bytes;
    private long count;

    /// @param likeThis a name with the ending the language wants
    CellFiles(Slot slot, String likeThis) {
        this.slot = slot;
        this.ending = likeThis.substring(likeThis.lastIndexOf('.'));
    }

    /// @return the file's name inside
    String write(String code) throws IOException {
        var name = "cell-" + ++count + ending;
        var file = slot.directory().resolve("job").resolve(name);
        var text = code.getBytes(StandardCharsets.UTF_8);
        Files.write(file, text);
        slot.own(file, "rw-r-----");
        kept.addLast(new Kept(file, text.length));
        bytes += text.length;
        while (bytes > BYTES_MAX && kept.size() > 1) {
            var oldest = kept.removeFirst();
            Files.delete(oldest.file());
            bytes -= oldest.bytes();
        }
        return "/run/job/" + name;
    }
}
