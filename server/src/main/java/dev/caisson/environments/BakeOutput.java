package dev.caisson.environments;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Output of a bake, as it can be followed: so many bytes from its beginning, and what was said
/// after that is counted. Passwords in addresses are struck.
final class BakeOutput {
    private static final Pattern USER_OF_ADDRESS = Pattern.compile("://[^/@\\s]{1,500}@");

    private static final Pattern NPM =
            Pattern.compile("npm (?:error|ERR!) (?!code |errno |syscall |path )\\S.*");
    private static final Pattern PYTHON = Pattern.compile("Python \\d+\\.\\d+\\.\\S+");

    private final int bytesMax;
    private final StringBuilder text = new StringBuilder();
    private int kept;
    private long left;

    BakeOutput(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    synchronized void add(byte[] bytes, int offset, int length) {
        int taken = Math.min(length, bytesMax - kept);
        kept += taken;
        text.append(new String(bytes, offset, taken, StandardCharsets.UTF_8));
        left += length - taken;
    }

    void say(String line) {
        var bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length);
    }

    synchronized String text() {
        var shown = USER_OF_ADDRESS.matcher(text).replaceAll("://…@");
        return left == 0 ? shown : shown + "\n(" + left + " more bytes are not kept)\n";
    }

    /// The line that says what is wrong: the last of pip's, or npm's before it speaks of its log.
    synchronized String complaint() {
        var lines = text().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.reversed().stream()
                .filter(line -> line.startsWith("ERROR"))
                .findFirst()
                .map(line -> line + whichPython(line, lines))
                .or(() -> lines.stream().filter(line -> NPM.matcher(line).matches()).findFirst())
                .or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
                .orElse("nothing was said");
    }

    /// A registry may have a package for other versions of Python only, which pip does not say.
    private static String whichPython(String line, List<String> lines) {
        return line.contains("No matching distribution")
                ? lines.stream()
                        .filter(each -> PYTHON.matcher(each).matches())
                        .findFirst()
                        .map(each -> " for " + each)
                        .orElse("")
                : "";
    }
}
