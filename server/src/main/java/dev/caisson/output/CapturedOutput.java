package dev.caisson.output;

/// Captured output of a run: both streams, redacted and shortened for the answer.
///
/// @param redactions how many secrets were taken out
public record CapturedOutput(CapturedStream stdout, CapturedStream stderr, long redactions) {
    /// Both streams as one text: stdout, a line break when both have something, stderr.
    public String combined() {
        return joined(stdout.text(), stderr.text());
    }

    /// The same of what a tool answers of them.
    public String combinedExcerpts() {
        return joined(stdout.excerpt().text(), stderr.excerpt().text());
    }

    /// Whether a tool answers less than was written.
    public boolean isExcerpt() {
        return stdout.excerpt().omittedBytes() > 0 || stderr.excerpt().omittedBytes() > 0;
    }

    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "\n" + second;
    }
}
