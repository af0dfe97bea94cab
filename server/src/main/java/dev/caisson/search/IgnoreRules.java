package dev.caisson.search;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Rules of a directory and of those above it about which files are left out, in the form of
/// `.gitignore`: the last rule that matches counts, and those of a directory before those above it.
/// All rules of `.ignore` come before all of `.gitignore`.
final class IgnoreRules {
    /// A longer file is cut there.
    static final int BYTES_MAX = 1 << 20;

    /// More rules in a file are left out.
    static final int RULES_MAX = 10_000;

    static final byte[] GIT = ".gitignore".getBytes(StandardCharsets.US_ASCII);
    static final byte[] PLAIN = ".ignore".getBytes(StandardCharsets.US_ASCII);
    static final IgnoreRules NONE = new IgnoreRules(Optional.empty(), 0, List.of(), List.of());

    /// @param keeps whether it takes back what others leave out
    /// @param names whether it is about names at any depth
    private record Rule(GlobPattern pattern, boolean keeps, boolean directories, boolean names) {}

    private final Optional<IgnoreRules> above;

    /// How many characters of a path lead to the directory.
    private final int prefix;

    private final List<Rule> git;
    private final List<Rule> plain;

    private IgnoreRules(Optional<IgnoreRules> above, int prefix, List<Rule> git, List<Rule> plain) {
        this.above = above;
        this.prefix = prefix;
        this.git = git;
        this.plain = plain;
    }

    /// Those of a directory below.
    ///
    /// @param prefix how many characters of a path lead into it
    IgnoreRules below(int prefix, byte[] gitText, byte[] plainText) {
        var newGit = rules(gitText);
        var newPlain = rules(plainText);
        return newGit.isEmpty() && newPlain.isEmpty()
                ? this
                : new IgnoreRules(Optional.of(this), prefix, newGit, newPlain);
    }

    private static List<Rule> rules(byte[] text) {
        var rules = new ArrayList<Rule>();
        for (int from = 0; from < text.length && rules.size() < RULES_MAX; ) {
            int to = from;
            while (to < text.length && text[to] != '\n') {
                to++;
            }
            rule(Arrays.copyOfRange(text, from, to)).ifPresent(rules::add);
            from = to + 1;
        }
        return List.copyOf(rules.reversed());
    }

    private static Optional<Rule> rule(byte[] line) {
        var text = trimmed(NamePoints.of(line));
        boolean keeps = text.length > 0 && text[0] == '!';
        int from = keeps ? 1 : 0;
        if (text.length == 0 || text[0] == '#' || text.length - from > GlobPattern.LENGTH_MAX) {
            return Optional.empty();
        }
        int to = text.length;
        boolean directories = to > from && text[to - 1] == '/';
        to -= directories ? 1 : 0;
        boolean names = true;
        for (int at = from; at < to; at++) {
            names &= text[at] != '/';
        }
        from += from < to && text[from] == '/' ? 1 : 0;
        return from >= to
                ? Optional.empty()
                : Optional.of(
                        new Rule(
                                GlobPattern.of(Arrays.copyOfRange(text, from, to)),
                                keeps,
                                directories,
                                names));
    }

    /// Spaces at the end mean nothing unless one is behind a backslash.
    private static int[] trimmed(int[] text) {
        int end = text.length;
        if (end > 0 && text[end - 1] == '\r') {
            end--;
        }
        while (end > 0 && text[end - 1] == ' ' && !(end > 1 && text[end - 2] == '\\')) {
            end--;
        }
        return Arrays.copyOf(text, end);
    }

    /// Whether a path is left out whose directory is not.
    ///
    /// @param name where its last name begins
    boolean leavesOut(int[] path, int name, boolean directory) {
        return decided(path, name, directory, true)
                .or(() -> decided(path, name, directory, false))
                .orElse(false);
    }

    private Optional<Boolean> decided(int[] path, int name, boolean directory, boolean byPlain) {
        for (var at = Optional.of(this); at.isPresent(); at = at.get().above) {
            var level = at.get();
            for (var rule : byPlain ? level.plain : level.git) {
                int from = rule.names() ? name : level.prefix;
                if ((directory || !rule.directories())
                        && rule.pattern().matches(path, from, path.length)) {
                    return Optional.of(!rule.keeps());
                }
            }
        }
        return Optional.empty();
    }
}
