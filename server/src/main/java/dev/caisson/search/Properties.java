package dev.caisson.search;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Unicode properties by the names they have behind `\p`: general categories, scripts and a few
/// binary ones.
final class Properties {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_ -]{1,40}");

    private Properties() {}

    /// @param name such as `L`, `Lu`, `Greek`, `Script=Greek` or `Alphabetic`
    /// @return empty for one that is not known
    static Optional<CodePoints> of(String name) {
        int equals = name.indexOf('=');
        var value = equals < 0 ? name : name.substring(equals + 1);
        if (!NAME.matcher(value).matches()) {
            return Optional.empty();
        }
        var plain = value.replace(" ", "_");
        return compiled(capital(plain))
                .or(() -> compiled("Is" + plain))
                .map(one -> CodePoints.where(at -> one.matcher(Character.toString(at)).matches()));
    }

    /// Categories are known to the JDK as they are written, such as `Lu`.
    private static String capital(String name) {
        return name.length() > 2
                ? "Is" + name
                : name.substring(0, 1).toUpperCase(Locale.ROOT)
                        + name.substring(1).toLowerCase(Locale.ROOT);
    }

    private static Optional<Pattern> compiled(String property) {
        try {
            return Optional.of(Pattern.compile("\\p{" + property + "}", Pattern.DOTALL));
        } catch (PatternSyntaxException unknown) {
            return Optional.empty();
        }
    }
}
