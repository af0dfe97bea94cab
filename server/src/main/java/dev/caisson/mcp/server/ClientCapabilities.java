package dev.caisson.mcp.server;

import dev.caisson.call.ClientFeature;
import dev.caisson.json.Json;
import dev.caisson.rpc.Params;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Client capabilities, read from and written as the protocol's `ClientCapabilities`.
public final class ClientCapabilities {
    static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

    private ClientCapabilities() {}

    public static Set<ClientFeature> read(Params capabilities) {
        var found = EnumSet.noneOf(ClientFeature.class);
        if (capabilities.node().isEmpty()) {
            return found;
        }
        capabilities.optionalObject("elicitation").ifPresent(modes -> readModes(modes, found));
        capabilities.optionalObject("sampling").ifPresent(_ -> found.add(ClientFeature.SAMPLING));
        capabilities.optionalObject("roots").ifPresent(_ -> found.add(ClientFeature.ROOTS));
        capabilities
                .optionalObject("extensions")
                .flatMap(extensions -> extensions.optionalObject(TASKS_EXTENSION))
                .ifPresent(_ -> found.add(ClientFeature.TASKS));
        return found;
    }

    /// An empty declaration means forms, as it did before there was another mode.
    private static void readModes(Params modes, Set<ClientFeature> found) {
        var url = modes.optionalObject("url").isPresent();
        if (url) {
            found.add(ClientFeature.ELICITATION_URL);
        }
        if (!url || modes.optionalObject("form").isPresent()) {
            found.add(ClientFeature.ELICITATION);
        }
    }

    /// What a client would have to declare to have this feature.
    static ObjectNode declaring(ClientFeature feature) {
        var capabilities = Json.object();
        switch (feature) {
            case ELICITATION -> capabilities.putObject("elicitation").putObject("form");
            case ELICITATION_URL -> capabilities.putObject("elicitation").putObject("url");
            case SAMPLING -> capabilities.putObject("sampling");
            case ROOTS -> capabilities.putObject("roots");
            case TASKS -> capabilities.putObject("extensions").putObject(TASKS_EXTENSION);
        }
        return capabilities;
    }
}
