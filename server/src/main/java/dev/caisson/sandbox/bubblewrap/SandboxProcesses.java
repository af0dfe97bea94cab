package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.PidFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Process handles of a sandbox, for the two that matter: the first of its process namespace, whose
/// death is everyone's, and the guest, which becomes the program. Both are found by bubblewrap's
/// own children while nothing of a caller runs yet, and held by descriptors from then on.
public record SandboxProcesses(PidFd first, PidFd program) implements AutoCloseable {
    private static final Pattern FIRST_INSIDE =
            Pattern.compile("^NSpid:\\s.*\\s1$", Pattern.MULTILINE);

    static SandboxProcesses of(Process bubblewrap) throws IOException {
        long first = onlyChild(bubblewrap.pid());
        if (!FIRST_INSIDE.matcher(Files.readString(proc(first, "status"))).find()) {
            throw new IOException("process " + first + " is not the first of a namespace");
        }
        var held = PidFd.open(first);
        try {
            return new SandboxProcesses(held, PidFd.open(onlyChild(first)));
        } catch (IOException | RuntimeException failed) {
            held.close();
            throw failed;
        }
    }

    private static long onlyChild(long pid) throws IOException {
        var children = Files.readString(proc(pid, "task/" + pid + "/children")).strip();
        if (!children.matches("\\d{1,10}")) {
            throw new IOException("process %d has the children [%s]".formatted(pid, children));
        }
        return Long.parseLong(children);
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }

    @Override
    public void close() {
        program.close();
        first.close();
    }
}
