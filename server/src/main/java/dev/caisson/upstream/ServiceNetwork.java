package dev.caisson.upstream;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.egress.AllowedHosts;
import dev.caisson.egress.Destination;
import dev.caisson.egress.HostCertificates;
import dev.caisson.egress.Tunnel;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.ServiceOrder;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Network of the process of an upstream: a proxy inside its sandbox, whose network is empty like
/// any other. The proxy opens connections to the hosts and ports of `network.allow` and to nothing
/// else. What the process needs to know of it stands in its environment.
final class ServiceNetwork implements ServiceOrder.Furnishing {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceNetwork.class);

    private static final int PORT = 3128;

    /// For the life of one process. The operator chose who is spoken to, so the bytes are bounded
    /// only against a program that has gone wild.
    static final Tunnel.Limits LIMITS = new Tunnel.Limits(64L << 30, 64, Duration.ofMinutes(5));

    private static final AllowedHosts.Terms TERMS =
            new AllowedHosts.Terms(
                    "is not in network.allow of this upstream", Duration.ofSeconds(30));

    /// Without the stubs that say that there is no network.
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final List<String> CERTIFICATES =
            List.of(
                    "SSL_CERT_FILE",
                    "REQUESTS_CA_BUNDLE",
                    "CURL_CA_BUNDLE",
                    "GIT_SSL_CAINFO",
                    "NODE_EXTRA_CA_CERTS");

    private final String upstream;
    private final Set<Destination> allowed;
    private final Set<String> privateHosts;
    private final String nodeOptions;

    /// @param privateHosts names that may have private addresses
    /// @param nodeOptions what Node is told anyway
    ServiceNetwork(
            String upstream,
            Set<Destination> allowed,
            Set<String> privateHosts,
            String nodeOptions) {
        this.upstream = upstream;
        this.allowed = Set.copyOf(allowed);
        this.privateHosts = Set.copyOf(privateHosts);
        this.nodeOptions = nodeOptions;
    }

    @Override
    public ServiceOrder.Furnished into(Box box) throws IOException {
        var variables = variables();
        var certificates = HostCertificates.file();
        if (certificates.isPresent()) {
            var path = box.put("ca.pem", Files.readAllBytes(certificates.get()));
            CERTIFICATES.forEach(name -> variables.put(name, path));
        }
        var hosts = new AllowedHosts(allowed, privateHosts, TERMS);
        var tunnel =
                Tunnel.start(
                        listener(box),
                        hosts,
                        LIMITS,
                        why -> LOG.warn("the upstream {} was refused a host: {}", upstream, why));
        return new ServiceOrder.Furnished(variables, tunnel::close);
    }

    private static ServerSocketChannel listener(Box box) {
        try {
            return box.listen(PORT);
        } catch (IOException | RuntimeException cannot) {
            LOG.debug("no proxy inside a sandbox", cannot);
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "It has network.allow, and only a server of root can offer a way out of a sandbox. Run the server as root, or take network out of its entry.");
        }
    }

    private Map<String, String> variables() {
        var all = new HashMap<String, String>();
        var proxy = "http://127.0.0.1:" + PORT;
        for (var name : List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")) {
            all.put(name, proxy);
        }
        all.put("no_proxy", "localhost,127.0.0.1");
        all.put("NO_PROXY", "localhost,127.0.0.1");
        all.put("NODE_USE_ENV_PROXY", "1");
        all.put("NODE_OPTIONS", nodeOptions + " --require=/run/guest/node/proxy.cjs");
        all.put("PATH", PATH);
        return all;
    }
}
