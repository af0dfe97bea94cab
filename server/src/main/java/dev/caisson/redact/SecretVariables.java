package dev.caisson.redact;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Heuristic for secret variables: guesses what is secret in an environment: the values of
/// variables whose names say so, and the passwords in addresses of services, whatever the name. A
/// guess is too much rather than too little; what it misses, a caller can name.
public final class SecretVariables {
    /// A name that ends with one of these.
    private static final List<String> ENDINGS =
            List.of(
                    "APIKEY",
                    "TOKEN",
                    "SECRET",
                    "PASSWORD",
                    "PASSWD",
                    "PASSPHRASE",
                    "CREDENTIAL",
                    "CREDENTIALS");

    /// A name whose last word is one of these: `BYPASS`, `MONKEY` and `SPAT` hold no secret.
    private static final Set<String> LAST_WORDS =
            Set.of("KEY", "PAT", "PASS", "PWD", "PASSCODE", "CREDS", "JWT", "COOKIE");

    /// `SECRET_2` and `TOKEN1` are as secret as `SECRET`.
    private static final Pattern NUMBER = Pattern.compile("_?[0-9]{1,9}$");

    /// `scheme://user:password@host`. The password ends at the last `@` before the path, since many
    /// are not encoded as they should be.
    private static final Pattern URL_PASSWORD =
            Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]{0,40}+://[^:/?#\\s]*+:([^/?#\\s]*)@");

    /// `user:password@tcp(host)/name`, as drivers of MySQL want it.
    private static final Pattern DSN_PASSWORD =
            Pattern.compile("^[^:/@\\s]++:([^\\s]*)@[a-z0-9]{1,16}\\(");

    /// `Server=db;Password=…` and `host=db password=…`.
    private static final Pattern NAMED_PASSWORD =
            Pattern.compile(
                    "(?i)(?:^|[;&?\\s])(?:password|passwd|pwd)\\s{0,3}+=\\s{0,3}+"
                            + "(?:'([^']++)'|\"([^\"]++)\"|([^;&\\s]++))");

    private SecretVariables() {}

    /// What must not be seen of this variable: nothing, its value, or its value and the password in
    /// it.
    public static Set<String> values(String name, String value) {
        var secrets = new HashSet<>(passwords(value));
        if (!secrets.isEmpty() || isSecretName(name)) {
            secrets.add(value);
        }
        return secrets;
    }

    /// Whether a variable of this name usually holds a secret, such as `GITHUB_TOKEN`.
    static boolean isSecretName(String name) {
        var upper = NUMBER.matcher(name.toUpperCase(Locale.ROOT)).replaceFirst("");
        return ENDINGS.stream().anyMatch(upper::endsWith)
                || LAST_WORDS.contains(upper.substring(upper.lastIndexOf('_') + 1));
    }

    /// The passwords in an address, as they stand there and as they are meant.
    public static Set<String> passwords(String value) {
        var found = new HashSet<String>();
        for (var pattern : List.of(URL_PASSWORD, DSN_PASSWORD)) {
            var matcher = pattern.matcher(value);
            if (matcher.find()) {
                found.add(matcher.group(1));
                found.add(decoded(matcher.group(1)));
            }
        }
        var named = NAMED_PASSWORD.matcher(value);
        while (named.find()) {
            for (var group = 1; group <= named.groupCount(); group++) {
                if (named.group(group) != null) {
                    found.add(named.group(group));
                    found.add(decoded(named.group(group)));
                }
            }
        }
        found.remove("");
        return found;
    }

    private static String decoded(String password) {
        try {
            return URLDecoder.decode(password.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return password;
        }
    }
}
