package dev.caisson.upstream;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text with placeholders, whose values are put in when a connection is made and stand nowhere
/// else: `${secret:name}` is the same for all, `${caller:name}` is each caller's own.
///
/// @param text with the placeholders
public record SecretText(String text) {
    private static final Pattern PLACEHOLDER =
            Pattern.compile(
                    "\\$\\{(?:secret:([a-z0-9][a-z0-9_-]{0,63})|caller:([a-z0-9][a-z0-9_-]{0,45}))}");

    /// What an author may have meant as a placeholder.
    private static final Pattern ANY = Pattern.compile("\\$\\{[^}]*}?");

    /// Whether everything in it that looks like a placeholder is one.
    public boolean isSound() {
        return !ANY.matcher(PLACEHOLDER.matcher(text).replaceAll("")).find();
    }

    /// Whether something in a text is, or looks like, a placeholder.
    static boolean isIn(String text) {
        return ANY.matcher(text).find();
    }

    /// The names of its secrets.
    public Set<String> names() {
        var names = new TreeSet<String>();
        var placeholder = PLACEHOLDER.matcher(text);
        while (placeholder.find()) {
            names.add(placeholder.group(placeholder.group(1) == null ? 2 : 1));
        }
        return names;
    }

    /// Whether it has a value of each caller's own.
    boolean isOfCallers() {
        return PLACEHOLDER.matcher(text).results().anyMatch(found -> found.group(1) == null);
    }

    /// @param vault gives the value of a secret by its name
    public String filled(UnaryOperator<String> vault) {
        return filled(vault, SecretOwner.SERVER);
    }

    /// @param owner whose own values are put in
    String filled(UnaryOperator<String> vault, SecretOwner owner) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(vault.apply(name(found, owner))));
    }

    private static String name(MatchResult found, SecretOwner owner) {
        return found.group(1) == null ? owner.own(found.group(2)) : found.group(1);
    }

    /// Without what was written beside the placeholders: it may be a secret too.
    @Override
    public String toString() {
        return "SecretText" + names();
    }
}
