package dev.caisson.webhooks;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Settings of webhooks: where results may be sent, how often it is tried, how many may wait.
///
/// @param privateHosts names that may have private addresses
/// @param atMost how long one try may take
/// @param pauses before each further try; when they are used up, the result is not sent any more
/// @param undeliveredMax how many results of one caller may wait to be sent
/// @param bytesMax what all results that wait may take; whoever has most has its oldest shortened
/// @param part of those being sent that one caller may have
public record WebhookSettings(
        @Key(
                        name = "webhooks.private_hosts",
                        doc =
                                "Hosts that results may be sent to although their addresses are"
                                        + " private.")
                Set<String> privateHosts,
        @Fixed("15s") Duration atMost,
        @Fixed("5s, 30s, 2m, 10m, 30m, 1h, 3h, 6h") List<Duration> pauses,
        @Key(
                        name = "webhooks.undelivered_max",
                        initial = "1000",
                        min = "1",
                        max = "1000000",
                        doc =
                                "How many results of one key may wait to be sent; further ones are"
                                        + " refused.")
                int undeliveredMax,
        @Key(
                        name = "keep.webhooks_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What results that wait to be sent may take; the key with most has its"
                                        + " oldest shortened first.")
                long bytesMax,
        ShareLimit part) {
    public static final WebhookSettings DEFAULT = Defaults.of(WebhookSettings.class);

    public WebhookSettings {
        privateHosts =
                privateHosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
        pauses = List.copyOf(pauses);
    }

    /// With another size of what waits.
    public WebhookSettings keeping(long bytes) {
        return new WebhookSettings(privateHosts, atMost, pauses, undeliveredMax, bytes, part);
    }
}
