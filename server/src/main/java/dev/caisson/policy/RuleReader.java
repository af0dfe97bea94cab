package dev.caisson.policy;

import dev.caisson.call.Door;
import dev.caisson.call.Glob;
import dev.caisson.config.Quantity;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.json.SchemaWords;
import dev.caisson.policy.RuleBody.BudgetBody;
import dev.caisson.policy.RuleBody.Trust;
import dev.caisson.policy.RuleBody.WhenBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Reader of a rule: from what somebody wrote to a [Rule], or every mistake in it.
public final class RuleReader {
    /// How large a rule may be, as compact JSON.
    public static final int RULE_BYTES_MAX = 16 << 10;

    /// How long a name may be.
    public static final int NAME_MAX = 80;

    /// What names of the defaults begin with.
    static final String RESERVED = "default";

    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9 _.,:()'-]{0," + (NAME_MAX - 1) + "}");
    private static final Schema SCHEMA = Schema.of(SchemaOf.record(RuleBody.class));

    private final List<RuleMistake> mistakes = new ArrayList<>();

    private RuleReader() {}

    /// @throws RuleMistakes when there is any mistake in it
    public static Rule read(JsonNode rule) throws RuleMistakes {
        if (Json.bytes(rule).length > RULE_BYTES_MAX) {
            throw new RuleMistakes(
                    List.of(
                            new RuleMistake(
                                    "The rule",
                                    "is larger than " + RULE_BYTES_MAX + " bytes",
                                    "Make it smaller, or write several.")));
        }
        var complaints = SCHEMA.complaints(rule);
        if (!complaints.isEmpty()) {
            throw new RuleMistakes(complaints.stream().map(RuleReader::mistake).toList());
        }
        return read(Records.read(rule, RuleBody.class));
    }

    /// From a sentence such as `/when/effect must be an array`.
    private static RuleMistake mistake(String complaint) {
        var end = complaint.indexOf(' ');
        return complaint.startsWith("/")
                ? new RuleMistake(
                        complaint.substring(1, end).replace('/', '.'),
                        complaint.substring(end + 1),
                        "Correct it.")
                : new RuleMistake("The rule", complaint, "Write a map of its members.");
    }

    /// @throws RuleMistakes when there is any mistake in it
    private static Rule read(RuleBody body) throws RuleMistakes {
        var reader = new RuleReader();
        var rule = reader.rule(body);
        if (!reader.mistakes.isEmpty()) {
            throw new RuleMistakes(reader.mistakes);
        }
        return rule;
    }

    private Rule rule(RuleBody body) {
        if (!NAME.matcher(body.name()).matches()) {
            mistake(
                    "name",
                    "is not letters of ASCII, digits, spaces and _.,:()'-, the first a letter or digit",
                    "Write one such as deletes need a person.");
        } else if (body.name().startsWith(RESERVED)) {
            mistake("name", "begins with " + RESERVED + ", which is reserved", "Write another.");
        }
        var expires = body.expires().flatMap(this::expires);
        if (body.expires().isPresent() && body.decide() != Decision.ASK) {
            mistake("expires", "has a meaning with ask alone", "Leave it out.");
        }
        var limits = limits(body);
        if (!limits.isEmpty() && body.decide() == Decision.DENY) {
            mistake("rate and budget", "have no meaning with deny", "Leave them out.");
        }
        return new Rule(
                body.name(),
                body.when().map(this::conditions).orElse(List.of()),
                body.decide(),
                body.reason(),
                expires,
                limits,
                body);
    }

    private Optional<Duration> expires(String text) {
        var read = Quantity.duration(text, "1s", "30d");
        if (read.isEmpty()) {
            mistake("expires", "is no time from 1s to 30d", "Write one such as 1h.");
        }
        return read;
    }

    private List<UseLimit> limits(RuleBody body) {
        var limits = new ArrayList<UseLimit>();
        limit("rate", UseLimit.Kind.RATE, body.rate(), "30/m", limits);
        var budget = body.budget();
        limit(
                "budget.calls",
                UseLimit.Kind.CALLS,
                budget.flatMap(BudgetBody::calls),
                "500/d",
                limits);
        limit(
                "budget.result_bytes",
                UseLimit.Kind.RESULT_BYTES,
                budget.flatMap(BudgetBody::resultBytes),
                "1GiB/d",
                limits);
        return limits;
    }

    private void limit(
            String member,
            UseLimit.Kind kind,
            Optional<String> text,
            String example,
            List<UseLimit> limits) {
        if (text.isPresent()) {
            UseLimit.parse(kind, text.get())
                    .ifPresentOrElse(
                            limits::add,
                            () ->
                                    mistake(
                                            member,
                                            "is no amount in a minute, hour or day",
                                            "Write one such as " + example + "."));
        }
    }

    /// The cheap ones first.
    private List<Condition> conditions(WhenBody when) {
        var conditions = new ArrayList<Condition>();
        when.caller()
                .filter(this::isCaller)
                .map(Condition.CallerIs::new)
                .ifPresent(conditions::add);
        glob("when.server", when.server(), Condition.ServerIs::new, conditions);
        glob("when.tool", when.tool(), Condition.ToolIs::new, conditions);
        when.effect()
                .map(List::stream)
                .map(all -> all.collect(Collectors.toSet()))
                .ifPresent(effects -> conditions.add(new Condition.EffectIn(effects)));
        when.trust()
                .ifPresent(trust -> conditions.add(new Condition.TrustIs(trust == Trust.TRUSTED)));
        when.door()
                .map(doors ->
                        doors.stream()
                                .map(word -> Door.valueOf(word.name()))
                                .collect(Collectors.toSet()))
                .ifPresent(doors -> conditions.add(new Condition.DoorIn(doors)));
        when.arguments()
                .flatMap(this::schema)
                .ifPresent(schema -> conditions.add(new Condition.ArgumentsFit(schema)));
        return conditions;
    }

    /// Names of keys may have any characters that are seen.
    private boolean isCaller(String text) {
        var seen = text.codePoints().noneMatch(Character::isISOControl);
        if (!seen) {
            mistake("when.caller", "has control characters", "Write the name or the id of a key.");
        }
        return seen;
    }

    private void glob(
            String member,
            Optional<String> text,
            Function<Glob, Condition> condition,
            List<Condition> conditions) {
        if (text.isEmpty()) {
            return;
        }
        if (Glob.isGlob(text.get())) {
            conditions.add(condition.apply(new Glob(text.get())));
        } else {
            mistake(
                    member,
                    "is no pattern of names",
                    "Write one such as agent-* of letters, digits, _ . - / * and ?.");
        }
    }

    private Optional<Schema> schema(JsonNode written) {
        try {
            var schema = Schema.of(written);
            SchemaWords.unknown(written)
                    .ifPresent(word ->
                            mistake(
                                    "when.arguments",
                                    "has " + word + ", which asserts nothing",
                                    "Write JSON Schema, such as {properties: {repo: {const: prod}}, required: [repo]}."));
            return Optional.of(schema);
        } catch (IllegalArgumentException wrong) {
            mistake("when.arguments", "is no JSON Schema", String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    private void mistake(String place, String problem, String remedy) {
        mistakes.add(new RuleMistake(place, problem, remedy));
    }
}
