package dev.caisson.oauth;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Scopes as authorization servers write them: words with spaces between.
final class ScopeWords {
    /// How many are asked for at once.
    static final int COUNT_MAX = 100;

    private static final Pattern SPACES = Pattern.compile(" +");
    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}");

    private ScopeWords() {}

    /// Without what is no scope.
    static List<String> read(String text) {
        return sound(SPACES.splitAsStream(text));
    }

    static List<String> sound(Stream<String> words) {
        return words.filter(SCOPE.asMatchPredicate()).distinct().limit(COUNT_MAX).toList();
    }

    static List<String> union(Collection<String> one, Collection<String> other) {
        var all = new LinkedHashSet<>(one);
        all.addAll(other);
        return sound(all.stream());
    }

    static String text(Collection<String> scopes) {
        return String.join(" ", scopes);
    }
}
