package dev.caisson.edit;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Text of a file to which the hunks of a patch are applied. Each is looked for in the text as it
/// was, in grades as [Matcher] says, and counts only where it is found once: `@@` narrows the
/// search to what follows its line, and numbers of a unified diff choose among several places.
public final class PatchedText {
    private static final int SHOWN_MAX = 160;

    private final String path;
    private final String text;
    private final LineEndings endings;
    private final UnaryOperator<String> redaction;
    private final Matcher matcher = new Matcher(Matcher.PATCH, true);

    /// By where they begin.
    private final TreeMap<Integer, Change> changes = new TreeMap<>();

    private Grade grade = Grade.EXACT;
    private int cursor;

    private record Change(Matcher.Place place, String text) {}

    /// A hunk has no place. The message says why.
    private static final class Misplaced extends Exception {
        private static final long serialVersionUID = 1L;

        Misplaced(String sentence) {
            super(sentence);
        }
    }

    /// @param path as the caller knows it
    /// @param text of [TextBytes]
    /// @param redaction of lines of the file that are shown
    public PatchedText(String path, String text, UnaryOperator<String> redaction) {
        this.path = path;
        this.text = text;
        this.redaction = redaction;
        endings = LineEndings.of(text);
    }

    /// @param number of the hunk in its file, from 1
    /// @return why it cannot be applied, for the caller
    public Optional<String> apply(Hunk hunk, int number) {
        if (hunk.changesNothing()) {
            return Optional.empty();
        }
        try {
            var name = "hunk " + number;
            if (hunk.old().isEmpty()) {
                insert(hunk, name);
            } else {
                replace(hunk, name);
            }
            return Optional.empty();
        } catch (Misplaced misplaced) {
            return Optional.of(String.valueOf(misplaced.getMessage()));
        }
    }

    /// What was passed over to find the hunks, at most.
    public Grade grade() {
        return grade;
    }

    /// Whether a hunk had anything to do.
    public boolean isChanged() {
        return !changes.isEmpty();
    }

    public String result() {
        var result = new StringBuilder(text.length());
        int at = 0;
        for (var change : changes.values()) {
            result.append(text, at, change.place().from()).append(change.text());
            at = change.place().to();
        }
        return result.append(text, at, text.length()).toString();
    }

    private void replace(Hunk hunk, String name) throws Misplaced {
        var wanted = Hunk.joined(hunk.old());
        int from = behindAnchors(hunk, name);
        var found = free(matcher.find(text, from, wanted));
        if (found.places().isEmpty() && hunk.anchors().isEmpty() && from > 0) {
            found = free(matcher.find(text, 0, wanted));
        }
        var place = chosen(hunk, name, found);
        if (place.isEmpty()) {
            requireThere(hunk, name, wanted);
            return;
        }
        var whole = wholeLines(place.get());
        var region = HunkLines.of(text.substring(whole.from(), whole.to()), endings, found.grade());
        if (region.lines().size() != hunk.old().size()) {
            throw new Misplaced(new Nearest(name, redaction).sentence(path, text, wanted));
        }
        change(whole, region.under(hunk));
        grade = grade.compareTo(found.grade()) < 0 ? found.grade() : grade;
    }

    private void change(Matcher.Place place, String now) {
        // Two insertions in one place stand in their order.
        changes.merge(
                place.from(),
                new Change(place, now),
                (one, two) -> new Change(two.place(), one.text() + two.text()));
        cursor = place.to();
    }

    /// Places that no other hunk has taken.
    private Matcher.Found free(Matcher.Found found) {
        return new Matcher.Found(
                found.grade(), found.places().stream().filter(this::isFree).toList());
    }

    private boolean isFree(Matcher.Place place) {
        var before = changes.lowerEntry(place.to());
        return before == null || before.getValue().place().to() <= place.from();
    }

    private Optional<Matcher.Place> chosen(Hunk hunk, String name, Matcher.Found found)
            throws Misplaced {
        var places = found.places();
        if (hunk.atEnd() && !places.isEmpty() && isAtEnd(places.getLast())) {
            return Optional.of(places.getLast());
        }
        if (places.size() < 2 || !hunk.anchors().isEmpty()) {
            return places.stream().findFirst();
        }
        return Optional.of(nearest(hunk.line(), places).orElseThrow(() -> several(name, found)));
    }

    private boolean isAtEnd(Matcher.Place place) {
        return wholeLines(place).to() == text.length();
    }

    /// The one place that is nearest to a line, if there is one.
    private Optional<Matcher.Place> nearest(OptionalInt line, List<Matcher.Place> places) {
        if (line.isEmpty()) {
            return Optional.empty();
        }
        int best = Integer.MAX_VALUE;
        Optional<Matcher.Place> nearest = Optional.empty();
        int number = 1;
        int at = 0;
        for (var place : places) {
            number += Matcher.line(text.substring(at, place.from()), place.from() - at) - 1;
            at = place.from();
            int distance = Math.abs(number - line.getAsInt());
            if (distance <= best) {
                nearest = distance < best ? Optional.of(place) : Optional.empty();
                best = distance;
            }
        }
        return nearest;
    }

    private Misplaced several(String name, Matcher.Found found) {
        var places = found.places();
        var lines =
                places.stream()
                        .limit(Replacement.LINES_SHOWN)
                        .map(place -> Integer.toString(Matcher.line(text, place.from())))
                        .collect(Collectors.joining(", "));
        return new Misplaced(
                "%s matched %d times in %s (lines %s%s); add lines that stay around it, or @@ with a line above it"
                        .formatted(
                                name,
                                places.size(),
                                path,
                                lines,
                                places.size() > Replacement.LINES_SHOWN ? ", …" : ""));
    }

    /// A hunk whose new lines are there and whose old ones are not was applied before.
    private void requireThere(Hunk hunk, String name, String wanted) throws Misplaced {
        var now = Hunk.joined(hunk.now());
        boolean there =
                hunk.isKnownBehind()
                        && !now.isBlank()
                        && !new Matcher(Matcher.EDIT, true).find(text, 0, now).places().isEmpty();
        if (!there) {
            throw new Misplaced(new Nearest(name, redaction).sentence(path, text, wanted));
        }
    }

    /// Where the search begins.
    private int behindAnchors(Hunk hunk, String name) throws Misplaced {
        int from = hunk.anchors().isEmpty() ? cursor : 0;
        for (var anchor : hunk.anchors()) {
            from =
                    behind(anchor, Math.max(from, cursor))
                            .or(() -> behind(anchor, 0))
                            .orElseThrow(() ->
                                    new Misplaced(
                                            "%s: the line behind @@ is not in %s: \"%s\". Name a line that is, or leave @@ empty."
                                                    .formatted(
                                                            name,
                                                            path,
                                                            Cut.of(
                                                                    TextBytes.shown(anchor),
                                                                    SHOWN_MAX,
                                                                    "…"))));
        }
        return from;
    }

    /// Behind the first line that is this one, or else has it in it.
    private Optional<Integer> behind(String anchor, int from) {
        var places = matcher.find(text, from, anchor).places();
        int at = places.isEmpty() ? text.indexOf(anchor.strip(), from) : places.getFirst().from();
        return at < 0 ? Optional.empty() : Optional.of(lineEnd(at));
    }

    private void insert(Hunk hunk, String name) throws Misplaced {
        int at = text.length();
        if (!hunk.anchors().isEmpty()) {
            at = behindAnchors(hunk, name);
        } else if (hunk.line().isPresent() && !hunk.atEnd()) {
            at = behindLine(hunk.line().getAsInt());
        }
        var now = inserted(hunk, at);
        if (now.isBlank()
                || !(text.startsWith(now, at) || text.startsWith(now, at - now.length()))) {
            change(new Matcher.Place(at, at), now);
        }
    }

    private String inserted(Hunk hunk, int at) {
        var end = endings == LineEndings.CRLF ? "\r\n" : "\n";
        var lines = String.join(end, hunk.now());
        if (at == 0 || text.charAt(at - 1) == '\n') {
            return hunk.lastBreak() == Hunk.LastBreak.ABSENT ? lines : lines + end;
        }
        return end + lines + (hunk.lastBreak() == Hunk.LastBreak.PRESENT ? end : "");
    }

    private int behindLine(int line) {
        int at = 0;
        for (int each = 0; each < line && at < text.length(); each++) {
            at = lineEnd(at);
        }
        return at;
    }

    /// Where the next line begins.
    private int lineEnd(int at) {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end + 1;
    }

    private Matcher.Place wholeLines(Matcher.Place place) {
        int from = place.from() == 0 ? 0 : text.lastIndexOf('\n', place.from() - 1) + 1;
        return new Matcher.Place(from, lineEnd(place.to()));
    }
}
