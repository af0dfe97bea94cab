package dev.caisson.broker;

import java.util.regex.Pattern;

/// Origin of a tool: the server that offers it, and its name there.
///
/// @param server its id as a module of a program: `[a-z0-9_]{1,40}`
/// @param function the name of the tool in that module
public record ToolOrigin(String server, String function) {
    /// The server of our own tools.
    public static final String OWN_SERVER = "caisson";

    private static final Pattern SERVER = Pattern.compile("[a-z0-9_]{1,40}");
    private static final Pattern FUNCTION = Pattern.compile("[A-Za-z0-9_]{1,128}");

    public ToolOrigin {
        if (!SERVER.matcher(server).matches()) {
            throw new IllegalArgumentException("the id of a server must match " + SERVER);
        }
        if (!FUNCTION.matcher(function).matches()) {
            throw new IllegalArgumentException("the name of a function must match " + FUNCTION);
        }
    }

    /// Such as `caisson.files_list`.
    public String qualifiedName() {
        return server + "." + function;
    }
}
