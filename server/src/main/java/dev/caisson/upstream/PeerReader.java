package dev.caisson.upstream;

import dev.caisson.egress.Destination;
import dev.caisson.sandbox.Services;
import dev.caisson.upstream.UpstreamBody.NetworkBody;
import dev.caisson.upstream.UpstreamBody.Spoken;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reader of the other end of a connection.
final class PeerReader {
    private static final int ARGUMENT_MAX = 4096;
    private static final int PORT_MAX = 65_535;
    private static final int HTTPS = 443;
    private static final Pattern HOST =
            Pattern.compile(
                    "(?=.{1,253}$)(\\*\\.(?=.*\\.))?[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*");
    private static final long MEMORY_USUAL = 512L << 20;

    /// Programs that fetch what they run: nobody would know what that is.
    private static final Set<String> FETCHING = Set.of("npx", "uvx", "bunx", "pnpx", "pipx");

    private final UpstreamReader reader;

    PeerReader(UpstreamReader reader) {
        this.reader = reader;
    }

    Optional<Peer> peer(UpstreamBody body) {
        if (body.url().isPresent() == body.command().isPresent()) {
            reader.mistake(
                    body.url().isPresent() ? "command" : "url",
                    body.url().isPresent() ? "stands beside url" : "is missing, and so is command",
                    "Write one of url and command.");
            return Optional.empty();
        }
        return body.url().isPresent()
                ? remote(body, body.url().get())
                : Optional.of(command(body, body.command().orElseThrow()));
    }

    private Optional<Peer> remote(UpstreamBody body, String url) {
        absent("env", body.env());
        absent("show", body.show());
        absent("network", body.network());
        absent("memory_bytes", body.memoryBytes());
        var transport =
                switch (body.transport().orElse(Spoken.AUTO)) {
                    case AUTO -> Peer.Transport.AUTO;
                    case HTTP -> Peer.Transport.HTTP;
                    case SSE -> Peer.Transport.SSE;
                    case STDIO -> {
                        reader.mistake(
                                "transport", "is stdio beside url", "Write command, or http.");
                        yield Peer.Transport.AUTO;
                    }
                };
        return address(url).map(uri -> new Peer.Remote(uri, transport));
    }

    private void absent(String member, Optional<?> given) {
        if (given.isPresent()) {
            reader.mistake(member, "has no meaning beside url", "Leave it out.");
        }
    }

    private Optional<URI> address(String url) {
        if (SecretText.isIn(url)) {
            reader.mistake(
                    "url",
                    "has ${…}, and a URL is no place for a secret",
                    "Use credentials of kind header.");
            return Optional.empty();
        }
        try {
            var uri = new URI(url);
            var scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("https") || scheme.equals("http"))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null
                    && uri.getPort() <= PORT_MAX
                    && uri.getPort() != 0) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException _) {
            // Told below.
        }
        reader.mistake(
                "url",
                "is no http or https URL with a host, without user and fragment",
                "Write one such as https://mcp.example.org/mcp.");
        return Optional.empty();
    }

    private Peer command(UpstreamBody body, List<String> words) {
        if (!Set.of(Spoken.AUTO, Spoken.STDIO).contains(body.transport().orElse(Spoken.STDIO))) {
            reader.mistake("transport", "is not stdio beside command", "Leave it out.");
        }
        program(words.getFirst());
        if (words.stream()
                .anyMatch(word -> word.length() > ARGUMENT_MAX || word.indexOf('\0') >= 0)) {
            reader.mistake(
                    "command",
                    "has an argument of more than " + ARGUMENT_MAX + " characters, or with NUL",
                    "Write shorter ones.");
        }
        if (words.stream().anyMatch(SecretText::isIn)) {
            reader.mistake(
                    "command", "has ${…}, and a command line is no place for a secret", "Use env.");
        }
        return new Peer.Command(
                words,
                reader.variables("env", body.env().orElse(Map.of())),
                shown(body.show().orElse(List.of())),
                body.network().map(this::network).orElse(Set.of()),
                reader.size("memory_bytes", body.memoryBytes(), "32MiB", "64GiB", MEMORY_USUAL));
    }

    private void program(String program) {
        var name = program.substring(program.lastIndexOf('/') + 1);
        if (program.isBlank() || (program.contains("/") && !program.startsWith("/"))) {
            reader.mistake(
                    "command",
                    "begins with what is neither a program's name nor its absolute path",
                    "Write one such as node.");
        } else if (FETCHING.contains(name)) {
            reader.mistake(
                    "command",
                    "is " + name + ", which would fetch a program each time it starts",
                    name.equals("npx")
                            ? "Use `caisson upstream install npm NAME@VERSION ID`, or write the program itself and its directory in show."
                            : "Install it once in a directory that show names, and write the program itself.");
        }
    }

    private Set<Destination> network(NetworkBody body) {
        var places = new LinkedHashSet<Destination>();
        for (var one : body.allow()) {
            if (!HOST.matcher(one.host()).matches()) {
                reader.mistake(
                        "network.allow",
                        "has a host that is no name",
                        "Write one such as api.example.org, or *.example.org for all names below.");
                continue;
            }
            for (int port : one.ports().orElse(List.of(HTTPS))) {
                if (port < 1 || port > PORT_MAX) {
                    reader.mistake("network.allow", "has a port that is none", "Write 1 to 65535.");
                } else {
                    places.add(new Destination(one.host(), port));
                }
            }
        }
        return places;
    }

    private List<Path> shown(List<String> texts) {
        var paths = new ArrayList<Path>();
        for (var text : texts) {
            try {
                var path = Path.of(text);
                if (Services.complaint(path).isEmpty()) {
                    paths.add(path);
                    continue;
                }
            } catch (InvalidPathException _) {
                // Told below.
            }
            reader.mistake(
                    "show",
                    "has what is no absolute path of a directory of this machine that may be shown",
                    "Write one such as /opt/mcp/github; places such as /usr and /tmp are the sandbox's own.");
        }
        return paths;
    }
}
