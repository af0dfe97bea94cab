package dev.caisson.redact;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/// Takes secrets out of text on its way out: the exact values it was told, and, when switched on,
/// everything that looks like a secret of a well-known kind.
///
/// The exact values are the strong layer: no false hit, no miss. The patterns are a second one, and
/// can harm a reader of source code, so they can be switched off. Time is linear in the text,
/// however hostile.
public final class Redactor {
    /// Shorter values are not taken out: they would turn up everywhere by chance.
    static final int EXACT_LENGTH_MIN = 4;

    private final List<String> exactValues;
    private final boolean patterns;
    private final LongAdder events = new LongAdder();

    public Redactor(Collection<String> exactValues, boolean patterns) {
        this.exactValues =
                exactValues.stream()
                        .filter(value -> value.length() >= EXACT_LENGTH_MIN)
                        .distinct()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList();
        this.patterns = patterns;
    }

    /// Whether a variable of this name usually holds a secret, such as `GITHUB_TOKEN`.
    public static boolean isSecretName(String name) {
        return Assignments.isSecretName(name);
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
        var clean = new StringBuilder(to - from);
        var at = from;
        for (var hit : hits(text)) {
            if (hit.end() <= at || hit.start() >= to) {
                continue;
            }
            clean.append(text, at, Math.max(at, hit.start())).append(hit.replacement());
            at = Math.min(to, hit.end());
            events.increment();
        }
        return clean.append(text, at, to).toString();
    }

    /// The same tree with every string in it redacted, names of members included.
    public JsonNode tree(JsonNode node) {
        if (node.isString()) {
            return Json.tree(text(node.stringValue()));
        }
        if (node.isArray()) {
            var clean = Json.array();
            node.forEach(item -> clean.add(tree(item)));
            return clean;
        }
        if (node.isObject()) {
            var clean = Json.object();
            node.properties()
                    .forEach(member -> clean.set(text(member.getKey()), tree(member.getValue())));
            return clean;
        }
        return node;
    }

    /// How much of a text that goes on can be judged now: its whole lines, up to a private key
    /// whose end has not come yet.
    public int settled(String text) {
        var lines = text.lastIndexOf('\n') + 1;
        var key = patterns ? PrivateKeys.unfinished(text) : -1;
        return key < 0 ? lines : Math.min(lines, key);
    }

    /// Takes the exact values out of a stream of bytes, also where a chunk's border cuts them.
    public StreamScrubber scrubber(StreamScrubber.Output output) {
        return new StreamScrubber(exactValues, output, events::increment);
    }

    /// In the order of the text and without overlap: where two meet, the one that starts first
    /// stays and grows.
    private List<Hit> hits(String text) {
        var found = exactHits(text);
        if (patterns) {
            found.addAll(PrivateKeys.find(text));
            found.addAll(TokenShapes.find(text));
            found.addAll(Assignments.find(text));
        }
        found.sort(Comparator.comparingInt(Hit::start));
        var apart = new ArrayList<Hit>(found.size());
        for (var hit : found) {
            var last = apart.isEmpty() ? null : apart.getLast();
            if (last == null || hit.start() >= last.end()) {
                apart.add(hit);
            } else if (hit.end() > last.end()) {
                apart.set(apart.size() - 1, new Hit(last.start(), hit.end(), last.name()));
            }
        }
        return apart;
    }

    private List<Hit> exactHits(String text) {
        var hits = new ArrayList<Hit>();
        for (var value : exactValues) {
            var automaton = new Automaton(value);
            for (var at = 0; at < text.length(); at++) {
                if (automaton.next(text.charAt(at))) {
                    hits.add(new Hit(at + 1 - value.length(), at + 1, StreamScrubber.NAME));
                }
            }
        }
        return hits;
    }
}
