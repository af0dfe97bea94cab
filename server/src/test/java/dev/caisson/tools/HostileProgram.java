package dev.caisson.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// A program that attacks, and how it must end; read from `hostile.txt`, which says how it is
/// written.
///
/// @param end the exit code or the name of the signal; empty when neither is known
/// @param says what must stand in its output
record HostileProgram(
        String name,
        String language,
        String status,
        Optional<String> end,
        Optional<Integer> timeout,
        Optional<String> says,
        String code) {
    private static final Pattern VERDICT =
            Pattern.compile("(\\w+) (\\w+) (\\S+)(?: (\\d+))?(?: says (.*))?");

    private static final String ATTEMPT =
            """
            import ctypes, errno, os
            libc = ctypes.CDLL(None, use_errno=True)
            buffer = ctypes.create_string_buffer(4096)
            def refused(number, *arguments):
                answer = libc.syscall(number, *arguments)
                print("ESCAPED" if answer >= 0 else errno.errorcode[ctypes.get_errno()])
            """;

    static List<HostileProgram> all() {
        try (var file = HostileProgram.class.getResourceAsStream("hostile.txt")) {
            var text =
                    new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split("(?m)^=== ", -1))
                    .skip(1)
                    .map(HostileProgram::parse)
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static HostileProgram parse(String text) {
        var lines = List.of(text.split("\n", 3));
        var verdict = VERDICT.matcher(lines.get(1));
        if (!verdict.matches()) {
            throw new IllegalStateException("no verdict: " + text);
        }
        var attempt = verdict.group(1).equals("attempt");
        return new HostileProgram(
                lines.get(0),
                attempt ? "python" : verdict.group(1),
                verdict.group(2),
                Optional.of(verdict.group(3).replace('_', ' ')).filter(end -> !end.equals("-")),
                Optional.ofNullable(verdict.group(4)).map(Integer::valueOf),
                Optional.ofNullable(verdict.group(5)),
                (attempt ? ATTEMPT : "") + lines.get(2));
    }

    @Override
    public String toString() {
        return name;
    }
}
