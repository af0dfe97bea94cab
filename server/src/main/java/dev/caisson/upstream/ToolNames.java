package dev.caisson.upstream;

import java.util.regex.Pattern;

/// Rule for the protocol names of tools.
final class ToolNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,128}");

    private ToolNames() {}

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
