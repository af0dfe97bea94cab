package dev.caisson.redact;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Exact values, as they are and as others write them: as a string of JSON and as a part of an
/// address, in the ways of common libraries. Every value is there as it is; the other spellings are
/// bounded together, the most common ways first, and in each way the short values.
final class SecretSpellings {
    static final int OTHERS_CHARACTERS_MAX = 64 << 10;

    /// What forms, RFC 3986, paths, scripts and whole addresses leave as it is beside letters and
    /// digits.
    private static final String FORM = "-_.*";

    private static final String UNRESERVED = "-_.~";
    private static final String PATH = UNRESERVED + "/";
    private static final String COMPONENT = "-_.!~*'()";
    private static final String ADDRESS = COMPONENT + ";/?:@&=+$,#";

    private static final List<UnaryOperator<String>> WAYS =
            List.of(
                    new JsonSpelling(false, false, false),
                    new JsonSpelling(true, false, false),
                    new PercentSpelling(FORM, true, false),
                    new PercentSpelling(UNRESERVED, false, false),
                    new PercentSpelling(PATH, false, false),
                    new PercentSpelling(COMPONENT, false, false),
                    new JsonSpelling(true, false, true),
                    new JsonSpelling(false, false, true),
                    new JsonSpelling(false, true, false),
                    new JsonSpelling(true, true, false),
                    new JsonSpelling(true, true, true),
                    new PercentSpelling(FORM, false, false),
                    new PercentSpelling(UNRESERVED, true, false),
                    new PercentSpelling(PATH, true, false),
                    new PercentSpelling(ADDRESS, false, false),
                    new PercentSpelling(FORM, true, true),
                    new PercentSpelling(UNRESERVED, false, true),
                    new PercentSpelling(PATH, false, true),
                    new PercentSpelling(COMPONENT, false, true),
                    new PercentSpelling(FORM, false, true),
                    new PercentSpelling(UNRESERVED, true, true));

    private SecretSpellings() {}

    /// @param lengthMin of a value that counts
    static Set<String> of(Collection<String> values, int lengthMin) {
        var exact =
                values.stream()
                        .filter(value -> value.length() >= lengthMin)
                        .sorted(Comparator.comparingInt(String::length))
                        .toList();
        var all = new HashSet<>(exact);
        var special = exact.stream().filter(value -> !isPlain(value)).toList();
        var room = OTHERS_CHARACTERS_MAX;
        for (var way : WAYS) {
            for (var value : special) {
                if (value.length() > room) {
                    break;
                }
                var other = way.apply(value);
                if (other.length() <= room && all.add(other)) {
                    room -= other.length();
                }
            }
        }
        return Set.copyOf(all);
    }

    /// Whether everybody writes it as it is.
    private static boolean isPlain(String value) {
        return value.chars().allMatch(one -> isLetterOrDigit(one) || "-_.".indexOf(one) >= 0);
    }

    static boolean isLetterOrDigit(int one) {
        return (one >= 'a' && one <= 'z')
                || (one >= 'A' && one <= 'Z')
                || (one >= '0' && one <= '9');
    }
}
