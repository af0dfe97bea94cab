package dev.caisson.broker;

import java.util.Locale;
import java.util.regex.Pattern;

/// Origin of a tool: the server that offers it, its names there and in programs, and what an
/// operator has approved.
///
/// @param id of the server, as operators know it: `[a-z0-9_-]{1,40}`
/// @param server its id as a module of a program: `[a-z0-9_]{1,42}`
/// @param function the name of the tool in that module for Python, and by which models find it
/// @param jsFunction the same for JavaScript
/// @param tool the name of the tool at that server, as calls send it
/// @param definitionHash of the definition that was approved, in hexadecimal; empty for our own
/// @param effect the most that a call may do
/// @param trusted whether the server is believed what it says of its tools
public record ToolOrigin(
        String id,
        String server,
        String function,
        String jsFunction,
        String tool,
        String definitionHash,
        ToolEffect effect,
        boolean trusted) {
    /// The server of our own tools.
    public static final String OWN_SERVER = "caisson";

    /// By which resources of a server are read. No tool of a server can have this name.
    public static final String RESOURCE_READ = "resources/read";

    private static final Pattern ID = Pattern.compile("[a-z0-9_-]{1,40}");
    private static final Pattern SERVER = Pattern.compile("[a-z0-9_]{1,42}");
    private static final Pattern FUNCTION = Pattern.compile("[A-Za-z0-9_]{1,260}");
    private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_.-]{1,128}|resources/read");
    private static final Pattern SEPARATOR = Pattern.compile("[^A-Za-z0-9]+([A-Za-z0-9]?)");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{0,64}");

    public ToolOrigin {
        require(ID, id, "the id of a server");
        require(SERVER, server, "the module of a server");
        require(FUNCTION, function, "the name of a function");
        require(FUNCTION, jsFunction, "the name of a function");
        require(TOOL, tool, "the name of a tool");
        require(HASH, definitionHash, "the hash of a definition");
    }

    /// Of a server whose id is its module.
    public ToolOrigin(
            String server,
            String function,
            String jsFunction,
            String tool,
            String definitionHash,
            ToolEffect effect,
            boolean trusted) {
        this(server, server, function, jsFunction, tool, definitionHash, effect, trusted);
    }

    private static void require(Pattern pattern, String text, String what) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(what + " must match " + pattern);
        }
    }

    /// Of one of our own tools.
    static ToolOrigin own(ToolSpec tool) {
        var name = tool.name();
        var function = name.replaceAll("[^A-Za-z0-9]", "_");
        return new ToolOrigin(
                OWN_SERVER, function, camelCase(name), name, "", ToolEffect.of(tool.hints()), true);
    }

    private static String camelCase(String name) {
        var joined =
                SEPARATOR.matcher(name).replaceAll(part -> part.group(1).toUpperCase(Locale.ROOT));
        return joined.isEmpty() ? "_" : joined;
    }

    /// Such as `github.create_issue`: how models and programs name it.
    public String qualifiedName() {
        return server + "." + function;
    }

    /// With what its text begins where models read it: it is the word of a stranger.
    public String attribution() {
        return "description by " + id + ": ";
    }

    /// Such as `github/create_issue`: how records name it, with its name at the server.
    public String ledgerName() {
        return server + "/" + tool;
    }

    public boolean isOwn() {
        return server.equals(OWN_SERVER);
    }
}
