package dev.caisson.model;

import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Words of an entity and of a query, as they are looked up: in NFKC and lower case, split at
/// everything that is neither letter nor digit. A compound such as `getUser` or `a_b` is there
/// whole and in parts; scripts without spaces are there as pairs of characters.
final class EntityWords {
    /// How many different words of one entity are found.
    static final int WORDS_MAX = 2_000;

    /// How many characters of a word count.
    static final int LENGTH_MAX = 64;

    private static final Pattern COMPOUND = Pattern.compile("[\\p{L}\\p{M}\\p{N}_]+");
    private static final Pattern PART =
            Pattern.compile("\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{Ll}\\p{Lo}\\p{M}]+|\\p{N}+|\\p{L}+");

    private EntityWords() {}

    /// @param inTitle whether it labels the entity
    record Word(String text, boolean inTitle) {}

    static Set<Word> of(EntityClass type, StoredEntity entity) {
        var words = new LinkedHashSet<Word>();
        addAll(words, entity.label(), true);
        entity.ident().ifPresent(ident -> addAll(words, ident, true));
        var title = type.titleSlot();
        for (var slot : type.slots().values()) {
            if (slot.spec().isSearched()) {
                var inTitle = title.filter(slot::equals).isPresent();
                EntityDocument.values(entity.document(), slot)
                        .forEach(value -> addAll(words, value.asString(""), inTitle));
            }
        }
        return words;
    }

    private static void addAll(Set<Word> words, String text, boolean inTitle) {
        for (var word : of(text)) {
            if (words.size() >= WORDS_MAX) {
                return;
            }
            words.add(new Word(word, inTitle));
        }
    }

    /// The words of a text in their order, each once.
    static List<String> of(String text) {
        var words = new LinkedHashSet<String>();
        var compounds = COMPOUND.matcher(Normalizer.normalize(text, Normalizer.Form.NFKC));
        while (compounds.find() && words.size() < WORDS_MAX) {
            compound(words, compounds.group());
        }
        return List.copyOf(words);
    }

    private static void compound(Set<String> words, String compound) {
        if (compound.codePoints().anyMatch(EntityWords::isDense)) {
            pairs(words, compound);
            return;
        }
        add(words, compound.replace("_", ""));
        var parts = PART.matcher(compound);
        while (parts.find()) {
            add(words, parts.group());
        }
    }

    private static void add(Set<String> words, String word) {
        var small = word.toLowerCase(Locale.ROOT);
        if (!small.isEmpty()) {
            var length = Math.min(small.codePointCount(0, small.length()), LENGTH_MAX);
            words.add(small.substring(0, small.offsetByCodePoints(0, length)));
        }
    }

    /// Whether its script puts no spaces between words.
    private static boolean isDense(int point) {
        return switch (Character.UnicodeScript.of(point)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, THAI, LAO, KHMER, MYANMAR -> true;
            default -> false;
        };
    }

    private static void pairs(Set<String> words, String compound) {
        var points = compound.toLowerCase(Locale.ROOT).codePoints().toArray();
        for (var at = 0; at < points.length; at++) {
            words.add(new String(points, at, Math.min(2, points.length - at)));
        }
    }
}
