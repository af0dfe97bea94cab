package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.http.HttpAccess;
import dev.caisson.http.HttpLimits;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.HttpTls;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.ServerInfo;
import java.util.Optional;
import java.util.Set;

/// The settings of each room, taken from the configuration. Rooms do not know the configuration.
final class RoomSettings {
    private static final String INSTRUCTIONS =
            "Caisson runs programs in a sandbox on the operator's own machine and reports truly how"
                    + " they ended.";

    private RoomSettings() {}

    static HttpSettings http(Config.Http http) {
        return new HttpSettings(
                http.host(),
                http.port(),
                new HttpLimits(
                        Math.toIntExact(http.bodyBytesMax()),
                        Math.toIntExact(http.headerBytesMax()),
                        http.requestTime(),
                        http.requestsMax(),
                        http.streamsMax(),
                        HttpLimits.DEFAULT.streamBufferBytesMax(),
                        HttpLimits.DEFAULT.idleTime()),
                new HttpAccess(
                        Set.copyOf(http.allowedHosts()),
                        Set.copyOf(http.allowedOrigins()),
                        http.trustedProxies()),
                tls(http),
                Optional.empty());
    }

    static ServerInfo serverInfo() {
        return new ServerInfo("caisson", "Caisson", Version.TEXT, INSTRUCTIONS);
    }

    static McpLimits mcp(Config.Mcp mcp) {
        var rest = McpLimits.DEFAULT;
        return new McpLimits(
                mcp.pageSize(),
                rest.quiet(),
                mcp.heartbeat(),
                rest.idleBeat(),
                rest.answerTimeout(),
                rest.stateLife(),
                rest.stateBytes(),
                mcp.taskKeep(),
                rest.taskPoll(),
                rest.streamEvents(),
                rest.streamBytes(),
                rest.streamsPerSession(),
                mcp.sessionsMax(),
                mcp.sessionIdle(),
                rest.sessionLife(),
                rest.callsPerChannel(),
                rest.lineBytes(),
                rest.drain());
    }

    private static Optional<HttpTls> tls(Config.Http http) {
        return http.tlsCertificate()
                .flatMap(chain -> http.tlsKey().map(key -> new HttpTls(chain, key)));
    }
}
