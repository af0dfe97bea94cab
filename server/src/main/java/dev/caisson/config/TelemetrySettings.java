package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The part of the table under `telemetry`: where spans are sent, and who reads the numbers. An
/// address is not repeated in a complaint, because somebody may have written a password into it.
final class TelemetrySettings {
    static final Setting<Optional<URI>> OTLP_ENDPOINT =
            setting(
                            "telemetry.otlp_endpoint",
                            Types.optional(Types.ENDPOINT),
                            "",
                            "The base URL of a collector that takes spans; empty means none are"
                                    + " made.")
                    .alsoFrom("OTEL_EXPORTER_OTLP_ENDPOINT")
                    .hidden();
    static final Setting<Map<String, String>> OTLP_HEADERS =
            setting(
                            "telemetry.otlp_headers",
                            Types.HEADERS,
                            "",
                            "Headers to send along, such as `x-api-key=…`.")
                    .alsoFrom("OTEL_EXPORTER_OTLP_HEADERS")
                    .hidden();
    static final Setting<String> SERVICE_NAME =
            setting(
                            "telemetry.service_name",
                            Types.text(100),
                            "caisson",
                            "What this server is called there.")
                    .alsoFrom("OTEL_SERVICE_NAME");

    static final Setting<String> METRICS_ACCESS =
            setting(
                    "telemetry.metrics_access",
                    Types.oneOf(List.of("auto", "open", "key")),
                    "auto",
                    "Who reads `/metrics`: `open` means everybody, `key` a key with the scope admin"
                            + " or audit; `auto` is open where only this machine reaches the"
                            + " server.");

    static final List<Setting<?>> ALL =
            List.of(OTLP_ENDPOINT, OTLP_HEADERS, SERVICE_NAME, METRICS_ACCESS);

    private TelemetrySettings() {}
}
