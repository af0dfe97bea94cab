package dev.caisson.broker;

import java.util.Collection;
import java.util.List;

/// Names of other servers in what a tool says of itself. They are names and no counts, so a list
/// changes only when a server comes or goes.
final class ServerNames {
    /// More are not named, to keep the list short.
    static final int NAMED_MAX = 40;

    private ServerNames() {}

    static ToolSpec in(ToolSpec tool, Collection<String> servers) {
        return tool.inCode().naming() ? tool.saying(tool.description() + sentence(servers)) : tool;
    }

    private static String sentence(Collection<String> servers) {
        var all = List.copyOf(servers);
        var named = all.subList(0, Math.min(NAMED_MAX, all.size()));
        return " Servers: "
                + ToolOrigin.OWN_SERVER
                + named.stream().map(name -> ", " + name).reduce("", String::concat)
                + (all.size() > named.size() ? " and more." : ".");
    }
}
