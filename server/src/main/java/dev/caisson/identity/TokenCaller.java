package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.call.Scope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Caller who has an access token of an authorization server, and no key. It is the same caller
/// with every token of one subject of one issuer.
public final class TokenCaller {
    /// Before the scopes of this server in tokens, such as `caisson:run`.
    private static final String SCOPE = "caisson:";

    private static final String CALLER = "oauth:";
    private static final int HASH_LENGTH = 32;
    private static final int NAME_MAX = 100;
    private static final Pattern SPACES = Pattern.compile(" +");
    private static final Pattern UNSEEN = Pattern.compile("[^\\p{L}\\p{N}\\p{P}\\p{S} ]");

    private TokenCaller() {}

    /// What clients are told to ask for: to work, and not to govern.
    public static List<String> usualScopes() {
        return Stream.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE, Scope.TOOLS)
                .map(TokenCaller::word)
                .toList();
    }

    /// All there are.
    public static List<String> scopes() {
        return Arrays.stream(Scope.values()).map(TokenCaller::word).toList();
    }

    /// The scope as tokens name it.
    public static String word(Scope scope) {
        return SCOPE + scope.word();
    }

    /// Whether a caller has a token, and no key.
    public static boolean is(Caller caller) {
        return caller.id().startsWith(CALLER);
    }

    static Caller of(SignedToken token) {
        var issuer = token.claimed("iss").orElseThrow();
        var subject = token.claimed("sub").orElseThrow();
        return new Caller(id(issuer, subject), name(subject), scopes(token), Set.of());
    }

    /// Two lengths cannot be mixed up: no issuer has a line break in it.
    private static String id(String issuer, String subject) {
        var both = (issuer + "\n" + subject).getBytes(StandardCharsets.UTF_8);
        return CALLER + Digests.sha256Hex(both).substring(0, HASH_LENGTH);
    }

    private static String name(String subject) {
        var seen = UNSEEN.matcher(subject).replaceAll("�");
        return seen.codePointCount(0, seen.length()) <= NAME_MAX
                ? seen
                : seen.substring(0, seen.offsetByCodePoints(0, NAME_MAX));
    }

    /// Those of `scope`, a text (RFC 9068), and of `scp`, a list or a text, as some issuers say it.
    private static Set<Scope> scopes(SignedToken token) {
        var said =
                Stream.of("scope", "scp")
                        .map(token.claims()::path)
                        .flatMap(claim ->
                                claim.isArray()
                                        ? claim.valueStream().map(one -> one.stringValue(""))
                                        : SPACES.splitAsStream(claim.stringValue("")));
        return said.filter(word -> word.startsWith(SCOPE))
                .map(word -> Scope.of(word.substring(SCOPE.length())))
                .flatMap(Optional::stream)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
    }
}
