package dev.caisson.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Index of short texts that ranks them by BM25. Never changes.
///
/// A text has fields of different weight; a word in a field of weight three counts as if it stood
/// there three times. Texts of the same rank keep the order in which they were given.
///
/// @param <T> what a text stands for
public final class TextIndex<T> {
    /// How many different words of a query are looked for.
    public static final int QUERY_WORDS_MAX = 32;

    /// How soon a word that is repeated counts no more.
    private static final double K1 = 1.2;

    /// How much a long text counts less.
    private static final double B = 0.75;

    /// Part of a text.
    ///
    /// @param weight how often it counts
    public record Field(String text, int weight) {
        public Field {
            if (weight < 1) {
                throw new IllegalArgumentException("a field has a weight of 1 or more");
            }
        }
    }

    /// Text and what it stands for.
    public record Entry<T>(T subject, List<Field> fields) {
        public Entry {
            fields = List.copyOf(fields);
        }
    }

    /// Text that was found.
    ///
    /// @param score above 0; the higher, the better
    public record Hit<T>(T subject, double score) {}

    /// A word in a text.
    ///
    /// @param text its number
    /// @param count how often, by weight
    private record Posting(int text, int count) {}

    private final List<T> subjects = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final Map<String, List<Posting>> postings = new HashMap<>();
    private final double meanLength;

    private TextIndex(List<Entry<T>> entries) {
        entries.forEach(this::add);
        meanLength = Math.max(1, lengths.stream().mapToInt(each -> each).average().orElse(1));
    }

    public static <T> TextIndex<T> of(List<Entry<T>> entries) {
        return new TextIndex<>(entries);
    }

    private void add(Entry<T> entry) {
        var counts = new HashMap<String, Integer>();
        for (var field : entry.fields()) {
            for (var word : Words.of(field.text())) {
                counts.merge(word, field.weight(), Integer::sum);
            }
        }
        var number = subjects.size();
        subjects.add(entry.subject());
        lengths.add(counts.values().stream().mapToInt(each -> each).sum());
        counts.forEach((word, count) ->
                postings.computeIfAbsent(word, _ -> new ArrayList<>())
                        .add(new Posting(number, count)));
    }

    /// How many texts there are.
    public int size() {
        return subjects.size();
    }

    /// The texts that have a word of the query, the best first.
    public List<Hit<T>> search(String query) {
        var scores = new double[subjects.size()];
        for (var word : wordsOf(query)) {
            var having = postings.getOrDefault(word, List.of());
            for (var posting : having) {
                scores[posting.text()] += rarity(having.size()) * presence(posting);
            }
        }
        return Stream.iterate(0, number -> number < scores.length, number -> number + 1)
                .filter(number -> scores[number] > 0)
                .map(number -> new Hit<>(subjects.get(number), scores[number]))
                .sorted(Comparator.comparingDouble((Hit<T> hit) -> hit.score()).reversed())
                .toList();
    }

    private static List<String> wordsOf(String query) {
        return new LinkedHashSet<>(Words.of(query)).stream().limit(QUERY_WORDS_MAX).toList();
    }

    private double rarity(int having) {
        return Math.log(1 + (subjects.size() - having + 0.5) / (having + 0.5));
    }

    private double presence(Posting posting) {
        var length = 1 - B + B * lengths.get(posting.text()) / meanLength;
        return posting.count() * (K1 + 1) / (posting.count() + K1 * length);
    }
}
