package dev.caisson.console;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Content codings of the console files, the best first.
enum Coding {
    BROTLI("br", ".br"),
    GZIP("gzip", ".gz"),
    NONE("identity", "");

    private final String word;
    private final String suffix;

    Coding(String word, String suffix) {
        this.word = word;
        this.suffix = suffix;
    }

    /// As the headers call it.
    String word() {
        return word;
    }

    /// What the name of a file packed this way ends with.
    String suffix() {
        return suffix;
    }

    /// The best the client takes and we have.
    ///
    /// @param accepted the values of `Accept-Encoding`
    static Coding best(List<String> accepted, Set<Coding> there) {
        var words =
                accepted.stream()
                        .flatMap(header -> Stream.of(header.split(",", -1)))
                        .map(item -> item.toLowerCase(Locale.ROOT).replace(" ", ""))
                        .filter(item -> !item.matches(".*;q=0(\\.0*)?"))
                        .map(item -> item.split(";", 2)[0])
                        .collect(Collectors.toSet());
        return Stream.of(BROTLI, GZIP)
                .filter(coding -> words.contains(coding.word) && there.contains(coding))
                .findFirst()
                .orElse(NONE);
    }
}
