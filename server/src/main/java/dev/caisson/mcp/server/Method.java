package dev.caisson.mcp.server;

import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Every method a client may ask for, and in which era.
public enum Method {
    INITIALIZE("initialize", Era.LEGACY),
    PING("ping", Era.LEGACY),
    SET_LEVEL("logging/setLevel", Era.LEGACY),
    SUBSCRIBE("resources/subscribe", Era.LEGACY),
    UNSUBSCRIBE("resources/unsubscribe", Era.LEGACY),
    DISCOVER("server/discover", Era.MODERN),
    LISTEN("subscriptions/listen", Era.MODERN),
    GET_TASK("tasks/get", Era.MODERN, "taskId"),
    UPDATE_TASK("tasks/update", Era.MODERN, "taskId"),
    CANCEL_TASK("tasks/cancel", Era.MODERN, "taskId"),
    LIST_TOOLS("tools/list", Era.BOTH),
    CALL_TOOL("tools/call", Era.BOTH, "name"),
    LIST_RESOURCES("resources/list", Era.BOTH),
    LIST_TEMPLATES("resources/templates/list", Era.BOTH),
    READ_RESOURCE("resources/read", Era.BOTH, "uri"),
    LIST_PROMPTS("prompts/list", Era.BOTH),
    GET_PROMPT("prompts/get", Era.BOTH, "name"),
    COMPLETE("completion/complete", Era.BOTH);

    private enum Era {
        LEGACY,
        MODERN,
        BOTH
    }

    private static final Map<String, Method> BY_WORD = new HashMap<>();

    static {
        for (var method : values()) {
            BY_WORD.put(method.word, method);
        }
    }

    private final String word;
    private final Era era;
    private final Optional<String> nameMember;

    Method(String word, Era era) {
        this.word = word;
        this.era = era;
        this.nameMember = Optional.empty();
    }

    Method(String word, Era era, String nameMember) {
        this.word = word;
        this.era = era;
        this.nameMember = Optional.of(nameMember);
    }

    public String word() {
        return word;
    }

    /// The parameter that the header `Mcp-Name` mirrors.
    public Optional<String> nameMember() {
        return nameMember;
    }

    private boolean in(Revision revision) {
        return switch (era) {
            case BOTH -> true;
            case MODERN -> revision.modern();
            case LEGACY -> !revision.modern();
        };
    }

    /// @throws ProtocolError when that revision has no such method
    public static Method of(String word, Revision revision) {
        var method = BY_WORD.get(word);
        if (method == null || !method.in(revision)) {
            throw new ProtocolError(
                    RpcError.METHOD_NOT_FOUND,
                    "Method not found: " + word,
                    revision.modern() ? 404 : 200);
        }
        return method;
    }
}
