package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.GuestOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Input of a run beside its program: what it reads, files it finds, and whether the value of its
/// last expression is wanted.
///
/// @param stdin what the program reads from its standard input
/// @param files put into the workspace before it starts
public record RunInput(Optional<String> stdin, List<InputFile> files, boolean display) {
    public static final RunInput NONE = new RunInput(Optional.empty(), List.of(), false);

    /// The longest standard input, in UTF-8.
    public static final int STDIN_BYTES_MAX = 1 << 20;

    public static final int FILES_MAX = 100;

    /// All files of one run together.
    public static final int FILES_BYTES_MAX = 64 << 20;

    public RunInput {
        files = List.copyOf(files);
        stdin.ifPresent(RunInput::requireFits);
        if (files.size() > FILES_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "files has %d entries; a run takes %d at most. Pack them into an archive."
                            .formatted(files.size(), FILES_MAX));
        }
    }

    private static void requireFits(String stdin) {
        var bytes = stdin.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > STDIN_BYTES_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "stdin has %s bytes; at most %s fit. Give the data as a file instead."
                            .formatted(
                                    Quantities.number(bytes), Quantities.number(STDIN_BYTES_MAX)));
        }
    }

    GuestOrder order() {
        return new GuestOrder(stdin, display);
    }
}
