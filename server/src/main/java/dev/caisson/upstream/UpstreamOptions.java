package dev.caisson.upstream;

import dev.caisson.config.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Settings of upstreams as a whole. What each of them is stands in the file.
///
/// @param file of upstreams
/// @param privateHosts names that may have private addresses
/// @param apiCommands whether an upstream that is a command can be added over REST
/// @param listAge how old the list of tools of a connected upstream may be
/// @param memoryBytes for answers that are being read, of all upstreams
public record UpstreamOptions(
        @Key(
                        name = "upstreams.file",
                        doc =
                                "A YAML file of other MCP servers whose tools are called here; see"
                                        + " docs/upstreams.md. It is read again when it changes.")
                Optional<Path> file,
        @Key(
                        name = "upstreams.private_hosts",
                        doc =
                                "Hosts of upstreams that may be reached although their addresses are"
                                        + " private.")
                Set<String> privateHosts,
        @Key(
                        name = "upstreams.api_commands",
                        initial = "false",
                        doc =
                                "Whether keys with the scope admin may add upstreams that are programs"
                                        + " which this server starts. The file and the command line"
                                        + " always may.")
                boolean apiCommands,
        @Key(
                        name = "upstreams.list_age",
                        initial = "10m",
                        min = "30s",
                        max = "30d",
                        doc =
                                "After how long the tools of a connected upstream are listed again,"
                                        + " if it says neither that they changed nor how long the list"
                                        + " counts.")
                Duration listAge,
        @Key(
                        name = "upstreams.memory_bytes",
                        initial = "128MiB",
                        min = "1MiB",
                        max = "64GiB",
                        doc =
                                "Memory for answers that are being read, of all upstreams"
                                        + " together; one has three quarters of it at most.")
                long memoryBytes) {
    public UpstreamOptions {
        privateHosts =
                privateHosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }
}
