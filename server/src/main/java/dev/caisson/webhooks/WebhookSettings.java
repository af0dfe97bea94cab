package dev.caisson.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// @param privateHosts names that may have private addresses
/// @param atMost how long one try may take
/// @param pauses before each further try; when they are used up, the result is not sent any more
public record WebhookSettings(Set<String> privateHosts, Duration atMost, List<Duration> pauses) {
    public static final WebhookSettings DEFAULT =
            new WebhookSettings(
                    Set.of(),
                    Duration.ofSeconds(15),
                    List.of(
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(30),
                            Duration.ofMinutes(2),
                            Duration.ofMinutes(10),
                            Duration.ofMinutes(30),
                            Duration.ofHours(1),
                            Duration.ofHours(3),
                            Duration.ofHours(6)));

    public WebhookSettings {
        privateHosts = Set.copyOf(privateHosts);
        pauses = List.copyOf(pauses);
    }

    public WebhookSettings with(Set<String> hosts) {
        return new WebhookSettings(hosts, atMost, pauses);
    }

    WebhookSettings with(List<Duration> newPauses) {
        return new WebhookSettings(privateHosts, atMost, newPauses);
    }
}
