package dev.caisson.telemetry;

import java.net.URI;
import java.util.Map;

/// Settings of the span exporter: the address of the collector, and what it is told about the
/// sender.
///
/// @param endpoint the base address of a collector, such as `http://127.0.0.1:4318`
/// @param headers sent along, such as a key of the collector's; secret
/// @param service what this server is called there
public record OtlpSettings(
        URI endpoint, Map<String, String> headers, String service, String version) {
    private static final String TRACES = "v1/traces";

    public OtlpSettings {
        headers = Map.copyOf(headers);
    }

    /// Where a collector takes spans, below its base address.
    URI traces() {
        var base = endpoint.toString();
        return URI.create(base + (base.endsWith("/") ? "" : "/") + TRACES);
    }

    /// Without the secrets.
    @Override
    public String toString() {
        return "OtlpSettings[endpoint=" + endpoint + "]";
    }
}
