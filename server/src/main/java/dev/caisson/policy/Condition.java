package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Door;
import dev.caisson.call.Glob;
import dev.caisson.json.Schema;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Condition of a rule on a call.
sealed interface Condition {
    /// The member of `when` that it was written as.
    String member();

    Match of(Subject subject);

    /// What it wants, as a clause behind the member.
    String wanted();

    /// A key by its name or its id.
    record CallerIs(String glob) implements Condition {
        private static final String KEY = "key:";

        @Override
        public String member() {
            return "caller";
        }

        @Override
        public Match of(Subject subject) {
            var id = subject.callerId();
            if (Glob.matches(glob, id)
                    || (id.startsWith(KEY) && Glob.matches(glob, id.substring(KEY.length())))) {
                return Match.YES;
            }
            return subject.callerName()
                    .map(name -> Match.of(Glob.matches(glob, name)))
                    .orElse(Match.UNKNOWN);
        }

        @Override
        public String wanted() {
            return "is not " + glob;
        }
    }

    /// Takes the id as people wrote it and as programs import it: `my-notes` and `my_notes`.
    record ServerIs(Glob glob) implements Condition {
        private static final Pattern LED_BY_DIGIT = Pattern.compile("t_[0-9].*");

        @Override
        public String member() {
            return "server";
        }

        @Override
        public Match of(Subject subject) {
            var module = new Glob(glob.text().replace('-', '_'));
            var server = subject.server();
            return Match.of(
                    module.matches(server)
                            || (LED_BY_DIGIT.matcher(server).matches()
                                    && module.matches(server.substring("t_".length()))));
        }

        @Override
        public String wanted() {
            return "is not " + glob;
        }
    }

    record ToolIs(Glob glob) implements Condition {
        @Override
        public String member() {
            return "tool";
        }

        @Override
        public Match of(Subject subject) {
            return Match.of(glob.matches(subject.tool()));
        }

        @Override
        public String wanted() {
            return "is not " + glob;
        }
    }

    record EffectIn(Set<ToolEffect> effects) implements Condition {
        public EffectIn {
            effects = Set.copyOf(effects);
        }

        @Override
        public String member() {
            return "effect";
        }

        @Override
        public Match of(Subject subject) {
            return Match.of(effects.contains(subject.effect()));
        }

        @Override
        public String wanted() {
            return effects.stream()
                    .map(ToolEffect::word)
                    .sorted()
                    .collect(Collectors.joining(" or ", "is not ", ""));
        }
    }

    record TrustIs(boolean trusted) implements Condition {
        @Override
        public String member() {
            return "trust";
        }

        @Override
        public Match of(Subject subject) {
            return subject.trusted().map(is -> Match.of(is == trusted)).orElse(Match.UNKNOWN);
        }

        @Override
        public String wanted() {
            return trusted ? "is not trusted" : "is not untrusted";
        }
    }

    record DoorIn(Set<Door> doors) implements Condition {
        public DoorIn {
            doors = Set.copyOf(doors);
        }

        @Override
        public String member() {
            return "door";
        }

        @Override
        public Match of(Subject subject) {
            return subject.door().map(is -> Match.of(doors.contains(is))).orElse(Match.UNKNOWN);
        }

        @Override
        public String wanted() {
            return doors.stream()
                    .map(Door::word)
                    .sorted()
                    .collect(Collectors.joining(" or ", "is not ", ""));
        }
    }

    record ArgumentsFit(Schema schema) implements Condition {
        @Override
        public String member() {
            return "arguments";
        }

        @Override
        public Match of(Subject subject) {
            if (subject.arguments().isEmpty()) {
                return Match.UNKNOWN;
            }
            return schema.conforms(subject.arguments().get()).map(Match::of).orElse(Match.TOO_MUCH);
        }

        @Override
        public String wanted() {
            return "do not conform to the schema";
        }
    }

    /// What was not known when the answer was [Match#UNKNOWN].
    static Optional<String> missing(Condition condition) {
        return subject(condition)
                .map(what -> what + (what.endsWith("s") ? " are" : " is") + " not known");
    }

    /// What a condition looks at that may not be known.
    static Optional<String> subject(Condition condition) {
        return switch (condition) {
            case CallerIs _ -> Optional.of("the name of the key");
            case TrustIs _ -> Optional.of("whether the server was trusted");
            case DoorIn _ -> Optional.of("the door");
            case ArgumentsFit _ -> Optional.of("the arguments");
            case ServerIs _, ToolIs _, EffectIn _ -> Optional.empty();
        };
    }
}
