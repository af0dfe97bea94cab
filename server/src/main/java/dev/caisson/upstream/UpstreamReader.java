package dev.caisson.upstream;

import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Glob;
import dev.caisson.config.Quantity;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.upstream.UpstreamBody.CallBody;
import dev.caisson.upstream.UpstreamBody.CredentialsBody;
import dev.caisson.upstream.UpstreamBody.FilterBody;
import dev.caisson.upstream.UpstreamBody.LimitsBody;
import dev.caisson.upstream.UpstreamSettings.Trust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Reader of the entry of an upstream: from what somebody wrote to [UpstreamSettings], or every
/// mistake in it.
public final class UpstreamReader {
    /// How large an entry may be, as compact JSON.
    public static final int ENTRY_BYTES_MAX = 64 << 10;

    private static final Schema SCHEMA = Schema.of(SchemaOf.record(UpstreamBody.class));

    /// Words of Python that no module can be called by.
    private static final Set<String> RESERVED =
            Set.of(
                    "and",
                    "as",
                    "assert",
                    "async",
                    "await",
                    "break",
                    "class",
                    "continue",
                    "def",
                    "del",
                    "elif",
                    "else",
                    "except",
                    "finally",
                    "for",
                    "from",
                    "global",
                    "if",
                    "import",
                    "in",
                    "is",
                    "lambda",
                    "nonlocal",
                    "not",
                    "or",
                    "pass",
                    "raise",
                    "return",
                    "try",
                    "while",
                    "with",
                    "yield",
                    "caisson");

    private static final String DURATION_MAX = "1d";
    private static final String LEAST = "100ms";

    private final List<UpstreamMistake> mistakes = new ArrayList<>();
    private UpstreamSettings.Sharing sharing = UpstreamSettings.Sharing.SHARED;
    private boolean trusted;

    private UpstreamReader() {}

    /// @throws UpstreamMistakes when there is any mistake in it
    public static UpstreamSettings read(String id, JsonNode entry) throws UpstreamMistakes {
        if (Json.bytes(entry).length > ENTRY_BYTES_MAX) {
            throw new UpstreamMistakes(
                    List.of(
                            new UpstreamMistake(
                                    "The entry",
                                    "is larger than " + ENTRY_BYTES_MAX + " bytes",
                                    "Make it smaller.")));
        }
        var complaints = SCHEMA.complaints(entry);
        if (!complaints.isEmpty()) {
            throw new UpstreamMistakes(complaints.stream().map(UpstreamReader::mistake).toList());
        }
        return read(id, Records.read(entry, UpstreamBody.class));
    }

    /// From a sentence such as `/limits/concurrency must be at most 256, was 999`.
    private static UpstreamMistake mistake(String complaint) {
        var end = complaint.indexOf(' ');
        return complaint.startsWith("/")
                ? new UpstreamMistake(
                        complaint.substring(1, end).replace('/', '.'),
                        complaint.substring(end + 1),
                        "Correct it.")
                : new UpstreamMistake("The entry", complaint, "Write a map of its settings.");
    }

    /// @throws UpstreamMistakes when there is any mistake in it
    public static UpstreamSettings read(String id, UpstreamBody body) throws UpstreamMistakes {
        var reader = new UpstreamReader();
        var settings = reader.settings(id, body);
        if (!reader.mistakes.isEmpty() || settings.isEmpty()) {
            throw new UpstreamMistakes(reader.mistakes);
        }
        return settings.get();
    }

    private Optional<UpstreamSettings> settings(String id, UpstreamBody body) {
        checkId(id);
        trusted = body.trust().equals(Optional.of(UpstreamSettings.Trust.TRUSTED));
        sharing = body.per().orElse(UpstreamSettings.Sharing.SHARED);
        var peer = new PeerReader(this).peer(body);
        var credentials = credentials(body);
        var filter = body.tools().map(this::filter).orElse(ToolFilter.ALL);
        var limits = body.limits().map(this::limits).orElse(UpstreamLimits.USUAL);
        var calls = new LinkedHashMap<String, CallRule>();
        body.calls().orElse(Map.of()).forEach((tool, said) -> calls.put(tool, rule(tool, said)));
        if (body.elicit().orElse(false) && body.trust().orElse(Trust.UNTRUSTED) != Trust.TRUSTED) {
            mistake(
                    "elicit",
                    "is true, but what the upstream says is not trusted",
                    "Add trust: trusted if people may be asked in its words, or leave it out.");
        }
        if (!mistakes.isEmpty()) {
            return Optional.empty();
        }
        return peer.map(other ->
                new UpstreamSettings(
                        id,
                        body.title().orElse(id),
                        other,
                        body.trust().orElse(Trust.UNTRUSTED),
                        body.review().orElse(UpstreamSettings.Review.FIRST),
                        credentials,
                        sharing,
                        filter,
                        limits,
                        calls,
                        body.learn().orElse(false),
                        body.elicit().orElse(false)));
    }

    private void checkId(String id) {
        if (!UpstreamSettings.ID.matcher(id).matches()) {
            mistake(
                    "The id",
                    "is not 1 to 40 small letters, digits and -, the first no -",
                    "Write one such as google-drive.");
        } else if (RESERVED.contains(UpstreamSettings.module(id))) {
            mistake(
                    "The id",
                    "is " + id + ", which is reserved",
                    "Write another, such as " + id + "-server.");
        } else if (UpstreamSettings.module(id).length() > UpstreamSettings.MODULE_MAX) {
            mistake("The id", "begins with a digit and is long", "Write 38 characters at most.");
        }
    }

    private Credentials credentials(UpstreamBody body) {
        return body.credentials()
                .map(given -> credentials(given, body.command().isPresent()))
                .orElse(new Credentials.None());
    }

    private Credentials credentials(CredentialsBody given, boolean command) {
        return switch (given.kind()) {
            case NONE -> {
                only(given, "none", false, false);
                yield new Credentials.None();
            }
            case HEADER -> {
                only(given, "header", true, false);
                if (command) {
                    mistake(
                            "credentials.kind",
                            "is header, but a command has no headers",
                            "Use kind env, or env.");
                }
                yield new Credentials.Headers(headers(given.headers().orElse(Map.of())));
            }
            case ENV -> {
                only(given, "env", false, true);
                if (!command) {
                    mistake(
                            "credentials.kind",
                            "is env, but only a command has an environment",
                            "Use kind header.");
                }
                yield new Credentials.Variables(
                        variables("credentials.env", given.env().orElse(Map.of())));
            }
            case OAUTH, CLIENT_CREDENTIALS -> {
                only(given, given.kind().name().toLowerCase(Locale.ROOT), false, false);
                if (command) {
                    mistake(
                            "credentials.kind",
                            "is one of OAuth, but a command has no requests",
                            "Use kind env, or env.");
                }
                yield new OAuthReader(this).read(given);
            }
        };
    }

    private void only(CredentialsBody given, String kind, boolean headers, boolean env) {
        if (!OAuthReader.KINDS.contains(given.kind())) {
            new OAuthReader(this).none(given, kind);
        }
        if (given.headers().isPresent() != headers) {
            mistake(
                    "credentials.headers",
                    headers ? "is missing" : "has no meaning with kind " + kind,
                    headers ? "Write the headers to send." : "Leave it out, or use kind header.");
        }
        if (given.env().isPresent() != env) {
            mistake(
                    "credentials.env",
                    env ? "is missing" : "has no meaning with kind " + kind,
                    env ? "Write the variables." : "Leave it out, or use kind env.");
        }
    }

    private Map<String, SecretText> headers(Map<String, String> given) {
        var headers = new LinkedHashMap<String, SecretText>();
        given.forEach((name, value) -> {
            if (!HeaderWords.isName(name)) {
                mistake(
                        "credentials.headers",
                        "has a name that is no header, or one that belongs to the protocol",
                        "Write headers such as Authorization or X-Api-Key.");
            } else if (!HeaderWords.isValue(value)) {
                mistake(
                        "credentials.headers." + name,
                        "is not 1 to 4,096 visible characters of ASCII",
                        "Keep other values in the vault and write ${secret:name}.");
            } else {
                headers.put(name, secret("credentials.headers." + name, value));
            }
        });
        return headers;
    }

    Map<String, SecretText> variables(String member, Map<String, String> given) {
        var variables = new LinkedHashMap<String, SecretText>();
        given.forEach((name, value) -> {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
                mistake(
                        member,
                        "has a name that is no environment variable",
                        "Write names such as GITHUB_TOKEN.");
            } else if (value.indexOf('\0') >= 0) {
                mistake(member + "." + name, "has a character NUL", "Leave it out.");
            } else {
                variables.put(name, secret(member + "." + name, value));
            }
        });
        return variables;
    }

    SecretText secret(String member, String value) {
        var text = new SecretText(value);
        if (!text.isSound()) {
            mistake(
                    member,
                    "has ${…} that names no secret",
                    "Write ${secret:name}, with a name of `caisson secret list`.");
        } else if (text.isOfCallers() && sharing == UpstreamSettings.Sharing.SHARED) {
            mistake(
                    member,
                    "has ${caller:…}, but all callers share one connection",
                    "Add per: caller, or write ${secret:name}.");
        }
        return text;
    }

    private ToolFilter filter(FilterBody given) {
        return new ToolFilter(
                given.include().map(list -> globs("tools.include", list)).orElse(List.of(Glob.ALL)),
                given.exclude().map(list -> globs("tools.exclude", list)).orElse(List.of()));
    }

    private List<Glob> globs(String member, List<String> texts) {
        if (!texts.stream().allMatch(Glob::isGlob)) {
            mistake(
                    member,
                    "has a pattern that is none of names",
                    "Write patterns such as get_* of letters, digits, _ . - * and ?.");
            return List.of();
        }
        return texts.stream().map(Glob::new).toList();
    }

    private UpstreamLimits limits(LimitsBody given) {
        var usual = UpstreamLimits.USUAL;
        return new UpstreamLimits(
                given.concurrency().orElse(usual.concurrency()),
                time("limits.connect", given.connect(), "2m", usual.connect()),
                time("limits.start", given.start(), "10m", usual.start()),
                time("limits.call", given.call(), DURATION_MAX, usual.call()),
                time("limits.list", given.list(), "10m", usual.list()),
                time("limits.idle", given.idle(), "30d", usual.idle()),
                size(
                        "limits.result_bytes",
                        given.resultBytes(),
                        "1KiB",
                        "64MiB",
                        usual.resultBytes()));
    }

    private CallRule rule(String tool, CallBody given) {
        var member = "calls." + tool;
        if (!ToolNames.isName(tool) && !tool.equals(ToolOrigin.RESOURCE_READ)) {
            mistake("calls", "names what is no tool", "Write the name as the upstream has it.");
            return CallRule.NONE;
        }
        boolean retry = given.reconcile().equals(Optional.of(UpstreamBody.Reconcile.RETRY));
        boolean idempotent = given.idempotent().orElse(false);
        if (retry && !idempotent && !trusted) {
            mistake(
                    member + ".reconcile",
                    "is retry, but nobody who is believed says that a second call changes no more",
                    "Add idempotent: true if that is so.");
        }
        return new CallRule(
                given.effect(),
                given.timeout()
                        .map(text ->
                                time(
                                        member + ".timeout",
                                        Optional.of(text),
                                        DURATION_MAX,
                                        Duration.ZERO)),
                given.idempotencyArgument(),
                idempotent,
                retry);
    }

    private Duration time(String member, Optional<String> text, String max, Duration usual) {
        return text.map(
                        one -> {
                            var read = Quantity.duration(one, LEAST, max);
                            if (read.isEmpty()) {
                                mistake(
                                        member,
                                        "is no time from " + LEAST + " to " + max,
                                        "Write one such as 30s.");
                            }
                            return read.orElse(usual);
                        })
                .orElse(usual);
    }

    long size(String member, Optional<String> text, String min, String max, long usual) {
        return text.map(
                        one -> {
                            var read = Quantity.size(one, min, max);
                            if (read.isEmpty()) {
                                mistake(
                                        member,
                                        "is no size from " + min + " to " + max,
                                        "Write one such as 16MiB.");
                            }
                            return read.orElse(usual);
                        })
                .orElse(usual);
    }

    void mistake(String member, String problem, String remedy) {
        mistakes.add(new UpstreamMistake(member, problem, remedy));
    }
}
