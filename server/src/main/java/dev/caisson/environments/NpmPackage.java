package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.regex.Pattern;

/// Package of npm in one version. Words that may mean another one tomorrow, such as `latest`, are
/// none, nor are addresses.
public record NpmPackage(String name, String version) {
    private static final String PART = "[A-Za-z0-9~-][A-Za-z0-9._~-]{0,99}";
    private static final Pattern NAME = Pattern.compile("(@" + PART + "/)?" + PART);
    private static final Pattern VERSION =
            Pattern.compile(
                    "\\d{1,9}\\.\\d{1,9}\\.\\d{1,9}(-[0-9A-Za-z.-]{1,100})?(\\+[0-9A-Za-z.-]{1,100})?");

    /// From words such as `@modelcontextprotocol/server-memory@2026.8.31`.
    ///
    /// @throws Refusal INVALID_ARGUMENT when they name no package, or no version
    public static NpmPackage of(String words) {
        int at = words.lastIndexOf('@');
        var name = at <= 0 ? words : words.substring(0, at);
        if (!NAME.matcher(name).matches()) {
            throw refusal(
                    "%s is not the name of an npm package. Write NAME@VERSION, such as server-memory@1.2.3."
                            .formatted(shortened(name)));
        }
        var version = at <= 0 ? "" : words.substring(at + 1);
        if (!VERSION.matcher(version).matches()) {
            throw refusal(
                    "%s needs an exact version, because what is installed is what was looked at: write %s@1.2.3. `npm view %s version` tells the newest."
                            .formatted(name, name, name));
        }
        return new NpmPackage(name, version);
    }

    private static Refusal refusal(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence);
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /// As npm takes it.
    public String words() {
        return name + "@" + version;
    }

    /// What a program of the package is called that has no other name: the name without its scope.
    public String plainName() {
        return name.substring(name.indexOf('/') + 1);
    }
}
