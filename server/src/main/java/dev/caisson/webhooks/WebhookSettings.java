package dev.caisson.webhooks;

import dev.caisson.share.Part;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// @param privateHosts names that may have private addresses
/// @param atMost how long one try may take
/// @param pauses before each further try; when they are used up, the result is not sent any more
/// @param undeliveredMax how many results of one caller may wait to be sent
/// @param bytesMax what all results that wait may take; whoever has most has its oldest shortened
/// @param part of those being sent that one caller may have
public record WebhookSettings(
        Set<String> privateHosts,
        Duration atMost,
        List<Duration> pauses,
        int undeliveredMax,
        long bytesMax,
        Part part) {
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
                            Duration.ofHours(6)),
                    1_000,
                    1L << 30,
                    Part.DEFAULT);

    public WebhookSettings {
        privateHosts = Set.copyOf(privateHosts);
        pauses = List.copyOf(pauses);
    }

    public WebhookSettings with(
            Set<String> hosts, int newUndeliveredMax, long newBytesMax, Part of) {
        return new WebhookSettings(hosts, atMost, pauses, newUndeliveredMax, newBytesMax, of);
    }
}
