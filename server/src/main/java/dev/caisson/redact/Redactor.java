package dev.caisson.redact;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Redactor: takes secrets out of text on its way out: the exact values it was told, and, when
/// switched on, everything that looks like a secret of a well-known kind or like personal data.
///
/// The exact values are the strong layer: no false hit, no miss. They are also found as JSON and as
/// addresses write them. What is known by its form is a second layer, and can harm a reader of
/// source code, so it can be switched off. Time is linear in the text, however hostile.
public final class Redactor {
    /// Shorter values are not taken out: they would turn up everywhere by chance.
    static final int EXACT_LENGTH_MIN = 4;

    private static final String NAME = StreamScrubber.NAME;

    private final List<ExactValues> exact;
    private final SecretForms forms;
    private final Consumer<String> onHit;
    private final LongAdder events = new LongAdder();

    public Redactor(Collection<String> exactValues, boolean tokens) {
        this(List.of(ExactValues.of(exactValues)), new SecretForms(tokens, Set.of()), _ -> {});
    }

    /// @param exact what is found in any of them is taken out
    /// @param forms what is taken out although nobody named it
    /// @param onHit is told the kind of everything that is taken out
    Redactor(List<ExactValues> exact, SecretForms forms, Consumer<String> onHit) {
        this.forms = forms;
        this.onHit = onHit;
        this.exact = exact.stream().filter(values -> !values.isEmpty()).toList();
    }

    /// Whether it lets everything through.
    public boolean isIdle() {
        return exact.isEmpty() && forms.isNone();
    }

    /// The same for a text that must lose nothing but the exact values, such as a program.
    public Redactor exactly() {
        return new Redactor(exact, SecretForms.NONE, onHit);
    }

    /// The same with a count of its own, for another reader of the same text.
    public Redactor countedApart() {
        return new Redactor(exact, forms, onHit);
    }

    /// How many secrets were taken out so far.
    public long events() {
        return events.sum();
    }

    public String text(String text) {
        return piece(text, 0, text.length());
    }

    /// A part of a text, judged with what stands around it, so that a secret which the part's
    /// border cuts is recognised.
    public String piece(String text, int from, int to) {
        return judge(text).piece(from, to);
    }

    /// A text whose parts are wanted one after another.
    public Judged judge(String text) {
        return new Judged(text, hits(text));
    }

    /// A text and what must not be shown of it.
    public final class Judged {
        private final String text;
        private final List<SecretSpan> hits;
        private int next;

        private Judged(String text, List<SecretSpan> hits) {
            this.text = text;
            this.hits = hits;
        }

        /// How many bytes of UTF-8 a part of it has, as it would be shown.
        public long bytes(int from, int to) {
            var sum = 0L;
            var at = from;
            for (var hit : hits) {
                if (hit.end() > from && hit.start() < to) {
                    sum += utf8Bytes(text, at, Math.max(at, hit.start()));
                    sum += hit.replacement().length();
                    at = Math.min(to, hit.end());
                }
            }
            return sum + utf8Bytes(text, at, to);
        }

        /// A part of it. The next one that is asked for starts no earlier than this one ends.
        public String piece(int from, int to) {
            var clean = new StringBuilder(to - from);
            var at = from;
            while (next < hits.size() && hits.get(next).end() <= from) {
                next++;
            }
            for (var look = next; look < hits.size() && hits.get(look).start() < to; look++) {
                var hit = hits.get(look);
                clean.append(text, at, Math.max(at, hit.start())).append(hit.replacement());
                at = Math.min(to, hit.end());
                hit(hit.name());
            }
            return clean.append(text, at, to).toString();
        }
    }

    private void hit(String kind) {
        events.increment();
        onHit.accept(kind);
    }

    private static long utf8Bytes(CharSequence text, int from, int to) {
        var bytes = 0L;
        for (var at = from; at < to; at++) {
            var character = text.charAt(at);
            if (character < 0x80) {
                bytes++;
            } else if (character < 0x800 || Character.isSurrogate(character)) {
                bytes += 2;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /// A number as it is written, without the exact values in it.
    public String number(String written) {
        return new Judged(written, apart(exactHits(written))).piece(0, written.length());
    }

    /// The same tree with every string in it redacted, names of members included. A number with an
    /// exact value in it becomes a string.
    public JsonNode tree(JsonNode node) {
        return tree(node, Set.of());
    }

    /// The same, where the server's own words are left as they are: a secret that happens to be one
    /// of them must not break an answer.
    ///
    /// @param words names of members and values of fixed sets
    public JsonNode tree(JsonNode node, Set<String> words) {
        if (node.isString()) {
            return Json.tree(unless(words, node.stringValue()));
        }
        if (node.isArray()) {
            var clean = Json.array();
            node.forEach(item -> clean.add(tree(item, words)));
            return clean;
        }
        if (node.isObject()) {
            var clean = Json.object();
            node.properties()
                    .forEach(member ->
                            clean.set(
                                    unless(words, member.getKey()),
                                    tree(member.getValue(), words)));
            return clean;
        }
        return node.isNumber() && !exact.isEmpty() ? number(node, words) : node;
    }

    /// Among the server's own words are its own numbers: of them only a whole one is a secret.
    private JsonNode number(JsonNode node, Set<String> words) {
        var written = node.asString();
        var hits = apart(exactHits(written));
        var isWhole =
                hits.size() == 1
                        && hits.getFirst().equals(new SecretSpan(0, written.length(), NAME));
        return hits.isEmpty() || !(isWhole || words.isEmpty())
                ? node
                : Json.tree(new Judged(written, hits).piece(0, written.length()));
    }

    private String unless(Set<String> words, String text) {
        return words.contains(text) ? text : text(text);
    }

    /// How much of a text that goes on can be judged now: its whole lines, up to a private key
    /// whose end has not come yet.
    public int settled(String text) {
        var lines = text.lastIndexOf('\n') + 1;
        var key = forms.tokens() ? PrivateKeys.unfinished(text) : -1;
        return key < 0 ? lines : Math.min(lines, key);
    }

    /// The end of a text, by which what follows it can be judged. Inside a private key its
    /// beginning stands before.
    public String context(String text, int length) {
        var end = text.substring(Math.max(0, text.length() - length));
        return forms.tokens() && PrivateKeys.unfinished(text) >= 0
                ? PrivateKeys.BEGINNING + end
                : end;
    }

    /// Takes the exact values out of a stream of bytes, also where a chunk's border cuts them.
    public StreamScrubber scrubber(StreamScrubber.Output output) {
        return new StreamScrubber(
                exact.stream().map(ExactValues::bytes).toList(), output, () -> hit(NAME));
    }

    private List<SecretSpan> hits(String text) {
        var found = exactHits(text);
        found.addAll(forms.find(text));
        return apart(found);
    }

    /// In the order of the text and without overlap: where two meet, the one that starts first
    /// stays and grows.
    private static List<SecretSpan> apart(List<SecretSpan> found) {
        found.sort(Comparator.comparingInt(SecretSpan::start));
        var apart = new ArrayList<SecretSpan>(found.size());
        for (var hit : found) {
            var last = apart.isEmpty() ? null : apart.getLast();
            if (last == null || hit.start() >= last.end()) {
                apart.add(hit);
            } else if (hit.end() > last.end()) {
                apart.set(apart.size() - 1, new SecretSpan(last.start(), hit.end(), last.name()));
            }
        }
        return apart;
    }

    private List<SecretSpan> exactHits(String text) {
        var hits = new ArrayList<SecretSpan>();
        exact.forEach(values -> find(values.characters(), text, hits));
        return hits;
    }

    private static void find(AhoCorasick automaton, String text, List<SecretSpan> hits) {
        var state = AhoCorasick.START;
        for (var at = 0; at < text.length(); at++) {
            state = automaton.next(state, text.charAt(at));
            var length = automaton.complete(state);
            if (length > 0) {
                hits.add(new SecretSpan(at + 1 - length, at + 1, NAME));
            }
        }
    }
}
