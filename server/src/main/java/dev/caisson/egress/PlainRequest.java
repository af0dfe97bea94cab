package dev.caisson.egress;

import dev.caisson.call.NetworkRule;
import dev.caisson.egress.HttpHead.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Request over plain HTTP, as it is judged and as it goes on: for one host, with one body, and
/// over a connection that ends with it.
///
/// @param to the host and the port it is for
/// @param path without its query
/// @param query with its question mark; may be empty
record PlainRequest(Authority to, HttpHead head, String path, String query, HttpBody body) {
    private static final int PORT = 80;
    private static final String SCHEME = "http://";
    private static final Pattern TARGET = Pattern.compile("([^/?#]*)([^?#]*)(\\?[^#]*)?");

    /// Two servers may read such a path as two different ones.
    private static final Pattern AMBIGUOUS =
            Pattern.compile(
                    ".*(?:%2f|%5c|%2e|%00|\\\\|//|;|/\\.\\.?(?:/|$)).*", Pattern.CASE_INSENSITIVE);

    /// Fields of one connection.
    private static final Set<String> OWN =
            Set.of(
                    "host",
                    "connection",
                    "keep-alive",
                    "te",
                    "trailer",
                    "upgrade",
                    "transfer-encoding",
                    "content-length");

    /// A request to a proxy, with a whole address.
    static PlainRequest forward(HttpHead head) throws ProxyRefusal {
        if (!head.target().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw ProxyRefusal.malformed("only CONNECT and http addresses go through here");
        }
        var target = TARGET.matcher(head.target().substring(SCHEME.length()));
        if (!target.matches()) {
            throw ProxyRefusal.malformed("an address has no # in it");
        }
        var to = Authority.of(target.group(1), PORT);
        var path = target.group(2).isEmpty() ? "/" : target.group(2);
        var query = target.group(3) == null ? "" : target.group(3);
        head.only("Host");
        return new PlainRequest(to, head, path, query, HttpBody.of(head));
    }

    /// A request within a connection to a host, which must be for that.
    static PlainRequest within(HttpHead head, Authority to) throws ProxyRefusal {
        var target = TARGET.matcher(head.target());
        if (!target.matches() || !target.group(1).isEmpty() || target.group(2).isEmpty()) {
            throw ProxyRefusal.malformed("a request within a connection has a path");
        }
        var host =
                head.only("Host")
                        .orElseThrow(() -> ProxyRefusal.malformed("a request has a header Host"));
        var named = Authority.of(host, to.port() == PORT ? PORT : to.port());
        if (!named.equals(to)) {
            throw new ProxyRefusal(
                    403,
                    NetworkVerdict.MISMATCHED,
                    "the request is for the host %s, the connection for %s"
                            .formatted(named.text(PORT), to.text(PORT)));
        }
        var query = target.group(3) == null ? "" : target.group(3);
        return new PlainRequest(to, head, target.group(2), query, HttpBody.of(head));
    }

    /// The first rule that lets it out.
    NetworkRule judged(List<NetworkRule> rules) throws ProxyRefusal {
        if (head.method().equals("TRACE")) {
            throw ProxyRefusal.denied(
                    "TRACE is not passed on: its answer would show headers that this server adds");
        }
        boolean ambiguous = AMBIGUOUS.matcher(path).matches();
        return rules.stream()
                .filter(rule -> rule.paths().isEmpty() || !ambiguous)
                .filter(rule -> rule.takesRequest(head.method(), path))
                .findFirst()
                .orElseThrow(() ->
                        ProxyRefusal.denied(
                                "the rules for the host %s do not allow %s of this path%s"
                                        .formatted(
                                                to.host(),
                                                head.method(),
                                                ambiguous
                                                        ? ", which can be read in two ways"
                                                        : "")));
    }

    /// Its head as the host gets it.
    ///
    /// @param rule by which it goes out
    String sent(NetworkRule rule) {
        var given = new HashSet<String>();
        rule.headers().keySet().forEach(name -> given.add(name.toLowerCase(Locale.ROOT)));
        var text = new StringBuilder(head.method()).append(' ').append(path).append(query);
        text.append(" HTTP/1.1\r\nHost: ").append(to.text(PORT)).append("\r\n");
        var left = ofConnection();
        for (var field : head.fields()) {
            var name = field.name().toLowerCase(Locale.ROOT);
            if (!left.contains(name) && !given.contains(name) && !name.startsWith("proxy-")) {
                text.append(field.name()).append(": ").append(field.value()).append("\r\n");
            }
        }
        rule.headers()
                .forEach((name, value) ->
                        text.append(name).append(": ").append(value).append("\r\n"));
        return text.append(body.field()).append("Connection: close\r\n\r\n").toString();
    }

    private Set<String> ofConnection() {
        var all = new HashSet<>(OWN);
        head.fields().stream()
                .filter(field -> field.is("Connection"))
                .map(Field::value)
                .flatMap(value -> List.of(value.split(",")).stream())
                .forEach(name -> all.add(name.strip().toLowerCase(Locale.ROOT)));
        return all;
    }
}
