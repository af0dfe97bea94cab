package dev.caisson.config;

import dev.caisson.call.NearName;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Binding of the keys of a [Family] to one record for each name. Every mistake is noted, and a
/// record with one is left out.
final class FamilyBinder {
    private final Family family;
    private final Values values;

    FamilyBinder(Family family, Values values) {
        this.family = family;
        this.values = values;
    }

    /// By name.
    Map<String, Record> bind() {
        var byName = new TreeMap<String, Map<String, Given>>();
        for (var given : values.below(family)) {
            var path = given.key().substring(family.name().length() + 1);
            int dot = path.indexOf('.');
            if (dot < 1 || !path.substring(0, dot).matches(Family.NAME_PATTERN)) {
                note(
                        given,
                        "is not a known key",
                        "Write %s.NAME.KEY; a name has up to 63 small letters, digits, - and _."
                                .formatted(family.name()));
                continue;
            }
            byName.computeIfAbsent(path.substring(0, dot), _ -> new TreeMap<>())
                    .put(path.substring(dot + 1), given);
        }
        var bound = new TreeMap<String, Record>();
        byName.forEach((name, given) -> one(given).ifPresent(made -> bound.put(name, made)));
        return bound;
    }

    private Optional<Record> one(Map<String, Given> given) {
        given.forEach(this::requireKnown);
        var arguments = new ArrayList<>();
        for (var member : family.members()) {
            arguments.add(member.map() ? below(member, given) : value(member, given));
        }
        try {
            return Optional.of(Binder.make(family.type(), arguments.toArray()));
        } catch (Contradiction wrong) {
            var at =
                    given.entrySet().stream()
                            .filter(entry -> belongs(entry.getKey(), wrong.key()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseGet(() -> given.values().iterator().next());
            note(at, wrong.problem(), wrong.remedy());
            return Optional.empty();
        }
    }

    private static boolean belongs(String path, String member) {
        return path.equals(member) || path.startsWith(member + ".");
    }

    private void requireKnown(String path, Given given) {
        if (family.member(path).isEmpty()) {
            var prefix = given.key().substring(0, given.key().length() - path.length());
            var known = family.members().stream().map(one -> prefix + one.word()).toList();
            note(
                    given,
                    "is not a known key",
                    NearName.of(given.key(), known)
                            .map(near -> "Did you mean " + near + "?")
                            .orElse("See docs/configuration.md for every key."));
        }
    }

    private Object value(Family.Member member, Map<String, Given> given) {
        var type = member.setting().type();
        var written = Optional.ofNullable(given.get(member.word()));
        try {
            return type.read(written.map(Given::text).orElse(member.setting().initial()).strip());
        } catch (IllegalArgumentException | ArithmeticException _) {
            note(written.orElseThrow(), "must be " + type.must(), "Leave it out, or correct it.");
            return type.read(member.setting().initial());
        }
    }

    private static Map<String, String> below(Family.Member member, Map<String, Given> given) {
        var found = new TreeMap<String, String>();
        var prefix = member.word() + ".";
        given.forEach((path, one) -> {
            if (path.startsWith(prefix)) {
                found.put(path.substring(prefix.length()), one.text());
            }
        });
        return found;
    }

    /// What is written is not repeated: it may be a secret.
    private void note(Given given, String problem, String remedy) {
        values.note(new Mistake(given.key(), Optional.empty(), given.origin(), problem, remedy));
    }
}
