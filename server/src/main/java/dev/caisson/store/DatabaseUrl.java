package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// URL of a PostgreSQL database: `postgresql://[user[:password]@]host[:port]/database[?…]` or the
/// same behind `jdbc:`. User and password may stand in the address, among its parameters as `user`
/// and `password`, or beside it; what stands beside it wins.
///
/// @param address without user and password
public record DatabaseUrl(String address, Optional<String> user, Optional<String> password) {
    private static final Pattern SHAPE =
            Pattern.compile(
                    "(?:jdbc:)?postgres(?:ql)?://(?:([^:@/?]*)(?::([^@/?]*))?@)?"
                            + "([^@/?]+/[^/?]+)(?:\\?(.*))?");

    /// @throws Refusal INVALID_ARGUMENT when it is no such address; a password is not repeated
    public static DatabaseUrl of(String url, Optional<String> user, Optional<String> password) {
        var matcher = SHAPE.matcher(url);
        if (!matcher.matches()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The address of the database must have the form"
                            + " postgresql://user@host:port/database.");
        }
        return read(matcher, user, password);
    }

    private static DatabaseUrl read(
            Matcher matcher, Optional<String> user, Optional<String> password) {
        var givenUser = user.or(() -> decoded(matcher.group(1)));
        var givenPassword = password.or(() -> decoded(matcher.group(2)));
        var others = new ArrayList<String>();
        for (var parameter : Optional.ofNullable(matcher.group(4)).orElse("").split("&", -1)) {
            var name = parameter.substring(0, Math.max(0, parameter.indexOf('=')));
            var value = parameter.substring(parameter.indexOf('=') + 1);
            switch (name) {
                case "user" -> givenUser = givenUser.or(() -> decoded(value));
                case "password" -> givenPassword = givenPassword.or(() -> decoded(value));
                case "" -> {}
                default -> others.add(parameter);
            }
        }
        var address = "postgresql://" + matcher.group(3);
        return new DatabaseUrl(
                others.isEmpty() ? address : address + "?" + String.join("&", others),
                givenUser,
                givenPassword);
    }

    private static Optional<String> decoded(@Nullable String text) {
        return Optional.ofNullable(text)
                .filter(given -> !given.isEmpty())
                // A plus is itself here, unlike in a form.
                .map(given -> URLDecoder.decode(given.replace("+", "%2B"), StandardCharsets.UTF_8));
    }

    String jdbc() {
        return "jdbc:" + address;
    }

    /// Without user and password, so that it can be shown.
    @Override
    public String toString() {
        return address;
    }
}
