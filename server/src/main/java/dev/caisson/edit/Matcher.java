package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Search for a text of a caller's in a file, in grades: each is tried only when the one before
/// found nothing, and counts only when it finds one place. Texts are those of [TextBytes].
public final class Matcher {
    /// In a longer text only what is the same counts.
    public static final int GRADED_MAX = 4 << 20;

    /// More places are not counted.
    public static final int PLACES_MAX = 100_000;

    /// What may be passed over by `edit`.
    public static final List<Grade> EDIT =
            List.of(Grade.EXACT, Grade.LINE_ENDINGS, Grade.TRAILING_SPACE);

    /// What may be passed over by patches.
    public static final List<Grade> PATCH = List.of(Grade.values());

    private final List<Grade> grades;
    private final boolean wholeLines;

    /// @param wholeLines whether only whole lines count
    public Matcher(List<Grade> grades, boolean wholeLines) {
        this.grades = List.copyOf(grades);
        this.wholeLines = wholeLines;
    }

    /// A place in the text.
    public record Place(int from, int to) {}

    /// What was found: no places, one, or several that are the same.
    public record Found(Grade grade, List<Place> places) {
        public Found {
            places = List.copyOf(places);
        }
    }

    /// @param from where to begin in the text
    public Found find(String text, int from, String wanted) {
        for (var grade : grades) {
            if (grade != Grade.EXACT && text.length() > GRADED_MAX) {
                break;
            }
            var places = places(text, from, wanted, grade);
            if (grade == Grade.EXACT ? !places.isEmpty() : places.size() == 1) {
                return new Found(grade, places);
            }
            if (places.size() > 1) {
                return new Found(grade, places);
            }
        }
        return new Found(Grade.EXACT, List.of());
    }

    private List<Place> places(String text, int from, String wanted, Grade grade) {
        var sought = Normal.of(wanted, grade).text();
        if (sought.isEmpty()) {
            return List.of();
        }
        boolean endsLine = grade.compareTo(Grade.TRAILING_SPACE) >= 0 && endsWithSpace(wanted);
        var normal = Normal.of(text, grade);
        var seen = new Occurrences(normal.text(), sought);
        var places = new ArrayList<Place>();
        for (int end = seen.next(); end >= 0 && places.size() <= PLACES_MAX; end = seen.next()) {
            var place = new Place(normal.from(end - sought.length()), normal.to(end, text));
            boolean counts =
                    place.from() >= from
                            && (!endsLine || isLineEnd(normal.text(), end))
                            && (!wholeLines || isWhole(text, place, grade));
            if (counts) {
                places.add(place);
                seen.leave();
            }
        }
        return places;
    }

    /// What ends with a space is not found in the middle of a word.
    private static boolean endsWithSpace(String wanted) {
        return wanted.endsWith(" ") || wanted.endsWith("\t");
    }

    private static boolean isLineEnd(String text, int at) {
        return at == text.length() || text.charAt(at) == '\n';
    }

    private static boolean isWhole(String text, Place place, Grade grade) {
        int from = place.from();
        while (grade.compareTo(Grade.INDENTATION) >= 0 && from > 0 && isSpace(text, from - 1)) {
            from--;
        }
        int to = place.to();
        while (grade != Grade.EXACT && to < text.length() && isSpace(text, to)) {
            to++;
        }
        boolean ends =
                to == text.length() || text.charAt(to) == '\n' || text.startsWith("\r\n", to);
        return (from == 0 || text.charAt(from - 1) == '\n') && ends;
    }

    private static boolean isSpace(String text, int at) {
        char one = text.charAt(at);
        return one == ' ' || one == '\t' || one == '\r';
    }

    /// How long the text becomes, which may be more than fits into one.
    static long length(String text, List<Place> places, String replacement) {
        long gone = places.stream().mapToLong(place -> place.to() - place.from()).sum();
        return text.length() - gone + (long) places.size() * replacement.length();
    }

    /// The text with another one in these places.
    static String replaced(String text, List<Place> places, String replacement) {
        var result = new StringBuilder(text.length());
        int at = 0;
        for (var place : places) {
            result.append(text, at, place.from()).append(replacement);
            at = place.to();
        }
        return result.append(text, at, text.length()).toString();
    }

    /// The number of the line a place is in, from 1.
    public static int line(String text, int place) {
        return 1 + (int) text.substring(0, place).chars().filter(one -> one == '\n').count();
    }

    static Optional<Place> only(Found found) {
        return found.places().size() == 1
                ? Optional.of(found.places().getFirst())
                : Optional.empty();
    }
}
