package dev.caisson.oauth;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Challenge of a resource (RFC 6750, RFC 9728): what `WWW-Authenticate` says after `Bearer`. It is
/// a stranger's word.
///
/// @param metadata where the metadata of the resource is
/// @param scopes that the request needs
/// @param error such as `insufficient_scope`
record BearerChallenge(Optional<String> metadata, List<String> scopes, Optional<String> error) {
    /// How long a header may be, in characters; of a longer one nothing is read.
    static final int LENGTH_MAX = 4096;

    /// What a server that says nothing says.
    static final BearerChallenge NONE =
            new BearerChallenge(Optional.empty(), List.of(), Optional.empty());

    private static final Pattern SCHEME =
            Pattern.compile("(?:^|,)\\s*Bearer(?:\\s+|$)", Pattern.CASE_INSENSITIVE);

    private static final Pattern PARAMETER =
            Pattern.compile(
                    "\\G\\s*,?\\s*([A-Za-z0-9_-]++)\\s*+=\\s*+(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]++))");

    BearerChallenge {
        scopes = List.copyOf(scopes);
    }

    static BearerChallenge of(Optional<String> header) {
        return header.filter(text -> text.length() <= LENGTH_MAX)
                .map(BearerChallenge::read)
                .orElse(NONE);
    }

    private static BearerChallenge read(String header) {
        var scheme = SCHEME.matcher(header);
        if (!scheme.find()) {
            return NONE;
        }
        var said = parameters(header.substring(scheme.end()));
        return new BearerChallenge(
                Optional.ofNullable(said.get("resource_metadata")),
                ScopeWords.read(said.getOrDefault("scope", "")),
                Optional.ofNullable(said.get("error")));
    }

    /// The first of a name counts.
    private static Map<String, String> parameters(String text) {
        var all = new HashMap<String, String>();
        var parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            var quoted = parameter.group(2);
            all.putIfAbsent(
                    parameter.group(1).toLowerCase(Locale.ROOT),
                    quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
        }
        return all;
    }

    /// Whether more scopes would help.
    boolean wantsScopes() {
        return error.filter("insufficient_scope"::equals).isPresent();
    }
}
