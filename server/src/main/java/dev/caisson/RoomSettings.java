package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.http.HttpAccess;
import dev.caisson.http.HttpLimits;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.HttpTls;
import java.util.Optional;
import java.util.Set;

/// The settings of each room, taken from the configuration. Rooms do not know the configuration.
final class RoomSettings {
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

    private static Optional<HttpTls> tls(Config.Http http) {
        return http.tlsCertificate()
                .flatMap(chain -> http.tlsKey().map(key -> new HttpTls(chain, key)));
    }
}
