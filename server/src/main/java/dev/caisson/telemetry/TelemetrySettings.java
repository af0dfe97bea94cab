package dev.caisson.telemetry;

import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Settings of traces and metrics. An address is not repeated in a complaint, because somebody may
/// have written a password into it.
///
/// @param endpoint where spans are sent; none are made without it
public record TelemetrySettings(
        @Key(
                        name = "telemetry.otlp_endpoint",
                        form = Form.ENDPOINT,
                        secret = true,
                        alsoFrom = "OTEL_EXPORTER_OTLP_ENDPOINT",
                        doc =
                                "The base URL of a collector that takes spans; empty means none are"
                                        + " made.")
                Optional<URI> endpoint,
        @Key(
                        name = "telemetry.otlp_headers",
                        secret = true,
                        alsoFrom = "OTEL_EXPORTER_OTLP_HEADERS",
                        doc = "Headers to send along, such as `x-api-key=…`.")
                Map<String, String> headers,
        @Key(
                        name = "telemetry.service_name",
                        initial = "caisson",
                        max = "100",
                        alsoFrom = "OTEL_SERVICE_NAME",
                        doc = "What this server is called there.")
                String serviceName,
        @Key(
                        name = "telemetry.metrics_access",
                        initial = "auto",
                        doc =
                                "Who reads `/metrics`: `open` means everybody, `key` a key with the"
                                        + " scope admin or audit; `auto` is open where only this machine"
                                        + " reaches the server.")
                MetricsAccess metricsAccess) {
    public TelemetrySettings {
        headers = Map.copyOf(headers);
    }

    /// Empty when no spans are wanted.
    ///
    /// @param version of the product
    public Optional<OtlpSettings> otlp(String version) {
        return endpoint.map(address -> new OtlpSettings(address, headers, serviceName, version));
    }

    /// Without the secrets.
    @Override
    public String toString() {
        return "TelemetrySettings[endpoint=" + endpoint + "]";
    }
}
