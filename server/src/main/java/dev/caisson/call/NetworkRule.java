package dev.caisson.call;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Rule of a network: a host that programs may reach, and which requests it is sent.
///
/// A rule without methods, paths and headers is for any TLS and any HTTP. One with some of them is
/// for requests that can be read, which is plain HTTP.
///
/// @param host a name in lower case, `*.` and a name for all names below it, or an address, one of
///   IPv6 without brackets
/// @param ports of the host
/// @param methods of HTTP that may be used; empty means every one
/// @param paths patterns in which `*` stands for any characters; empty means every one
/// @param headers that requests get from the server, in place of those of the program
/// @param mayBePrivate whether the host may have addresses of private networks and of this machine
public record NetworkRule(
        String host,
        List<Integer> ports,
        List<String> methods,
        List<String> paths,
        Map<String, String> headers,
        boolean mayBePrivate) {
    public static final int HOST_LENGTH_MAX = 253;
    public static final int PORTS_MAX = 16;
    public static final int METHODS_MAX = 16;
    public static final int PATHS_MAX = 32;
    public static final int PATH_LENGTH_MAX = 500;
    public static final int HEADERS_MAX = 16;
    public static final int HEADER_LENGTH_MAX = 4_000;

    /// Of a rule that names none.
    public static final List<Integer> USUAL_PORTS = List.of(443);

    private static final int PORT_MAX = 65_535;
    private static final int HTTPS = 443;

    /// Begins the host of a rule for all names below another.
    private static final String BELOW = "*.";

    private static final Pattern NAME =
            Pattern.compile("(?!-)[a-z0-9_-]{1,63}(?:\\.[a-z0-9_-]{1,63})*");
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|0x[0-9a-f]+");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,16}");
    private static final Pattern PATH = Pattern.compile("[/*][\\x21-\\x7e&&[^?#\\\\]]*");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e]*");

    /// What carries a request over its connection is the proxy's own.
    private static final Pattern OWN_HEADER =
            Pattern.compile(
                    "(?i)host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*");

    /// @throws IllegalArgumentException with what is wrong, as the end of a sentence
    public NetworkRule {
        host = plain(host);
        ports = ports.isEmpty() ? USUAL_PORTS : List.copyOf(ports);
        methods = List.copyOf(methods);
        paths = List.copyOf(paths);
        headers = Map.copyOf(headers);
        require(isHost(host), "host is no name, no *. with a name and no address");
        require(
                ports.size() <= PORTS_MAX
                        && ports.stream().allMatch(port -> port > 0 && port <= PORT_MAX),
                "ports are up to 16 numbers from 1 to 65535");
        require(
                methods.size() <= METHODS_MAX
                        && methods.stream().allMatch(each -> METHOD.matcher(each).matches()),
                "methods are up to 16 words in capital letters, such as GET");
        require(
                paths.size() <= PATHS_MAX && paths.stream().allMatch(NetworkRule::isPath),
                "paths are up to 32 patterns that begin with / or *, such as /v1/*");
        require(
                headers.size() <= HEADERS_MAX
                        && headers.entrySet().stream()
                                .allMatch(each -> isHeader(each.getKey(), each.getValue())),
                "headers are up to 16 names with values of printable characters, and none that"
                        + " carries a request over its connection, such as Host");
        requireReadable(ports, methods, paths, headers);
    }

    /// One for everything that the host offers at these ports.
    public NetworkRule(String host, List<Integer> ports) {
        this(host, ports, List.of(), List.of(), Map.of(), false);
    }

    /// From a word such as `files.example` or `files.example:8443`; port 443 unless it names one.
    ///
    /// @throws IllegalArgumentException with what is wrong
    public static NetworkRule of(String word) {
        int colon = word.lastIndexOf(':');
        boolean named = (colon > 0 && word.indexOf(':') == colon) || word.contains("]:");
        if (!named) {
            return new NetworkRule(word, USUAL_PORTS);
        }
        var port = word.substring(colon + 1);
        require(port.matches("\\d{1,5}"), "the port is no number");
        return new NetworkRule(word.substring(0, colon), List.of(Integer.parseInt(port)));
    }

    /// A host as it is compared: in lower case, an address of IPv6 without brackets, no dot at the
    /// end.
    public static String plain(String host) {
        var lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[") && lower.endsWith("]")) {
            return lower.substring(1, lower.length() - 1);
        }
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /// Whether a rule can name it, or a program ask for it.
    private static boolean isHost(String host) {
        if (host.isEmpty() || host.length() > HOST_LENGTH_MAX) {
            return false;
        }
        if (host.startsWith(BELOW)) {
            return isName(host.substring(BELOW.length()));
        }
        return isName(host) || isAddress(host);
    }

    /// An address may be written in ways of which every library knows others: what has only digits
    /// is one in its usual form, or nothing.
    public static boolean isName(String host) {
        return host.length() <= HOST_LENGTH_MAX
                && NAME.matcher(host).matches()
                && !NUMBERS.matcher(lastLabel(host)).matches();
    }

    private static String lastLabel(String host) {
        return host.substring(host.lastIndexOf('.') + 1);
    }

    /// Whether it is an address in its usual form.
    public static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 ? isSix(host) : isFour(host);
    }

    private static boolean isFour(String host) {
        return host.matches("(?:(?:0|[1-9]\\d{0,2})\\.){3}(?:0|[1-9]\\d{0,2})") && isLiteral(host);
    }

    private static boolean isSix(String host) {
        return host.matches("[0-9a-f:.]{2,45}") && isLiteral(host);
    }

    private static boolean isLiteral(String host) {
        try {
            var _ = InetAddress.ofLiteral(host);
            return true;
        } catch (IllegalArgumentException none) {
            return false;
        }
    }

    private static boolean isPath(String pattern) {
        return pattern.length() <= PATH_LENGTH_MAX && PATH.matcher(pattern).matches();
    }

    private static boolean isHeader(String name, String value) {
        return HEADER.matcher(name).matches()
                && !OWN_HEADER.matcher(name).matches()
                && value.length() <= HEADER_LENGTH_MAX
                && HEADER_VALUE.matcher(value).matches();
    }

    /// TLS is not ended here: what is in it nobody sees and nobody changes.
    private static void requireReadable(
            List<Integer> ports,
            List<String> methods,
            List<String> paths,
            Map<String, String> headers) {
        boolean reads = !methods.isEmpty() || !paths.isEmpty() || !headers.isEmpty();
        require(
                !reads || !ports.contains(HTTPS),
                "methods, paths and headers cannot be judged on port 443, where TLS hides them: this"
                        + " server does not end TLS. Name other ports, or leave them out");
        require(
                headers.values().stream().noneMatch(value -> value.contains("${secret:")),
                "headers with ${secret:…} would leave without TLS: this server does not send secrets"
                        + " so");
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    /// Whether a request must be read before it is let out.
    public boolean readsRequests() {
        return !methods.isEmpty() || !paths.isEmpty() || !headers.isEmpty();
    }

    /// @param name of a host, as it is compared
    public boolean takes(String name, int port) {
        return ports.contains(port)
                && (host.startsWith(BELOW)
                        ? name.length() > host.length() - 1 && name.endsWith(host.substring(1))
                        : host.equals(name));
    }

    /// @param path without a query
    public boolean takesRequest(String method, String path) {
        return (methods.isEmpty() || methods.contains(method))
                && (paths.isEmpty()
                        || paths.stream().anyMatch(pattern -> Glob.matches(pattern, path)));
    }

    /// Without values of headers, which may be secret.
    @Override
    public String toString() {
        return "NetworkRule[%s, %s, %s, %s, %s%s]"
                .formatted(
                        host,
                        ports,
                        methods,
                        paths,
                        new TreeMap<>(headers).keySet(),
                        mayBePrivate ? ", private" : "");
    }
}
