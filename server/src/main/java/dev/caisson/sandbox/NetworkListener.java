package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Listener inside a sandbox, at which programs find a [NetworkDoor] by the usual variables of
/// proxies.
public final class NetworkListener implements AutoCloseable {
    /// Where programs find the proxy.
    public static final int PORT = 3128;

    /// How many connections are taken at a time. The proxy itself allows fewer, and says so.
    private static final int CONNECTIONS_MAX = 128;

    /// Tells the stubs of programs that fetch, and the guests, that there is a network.
    static final String VARIABLE = "CAISSON_NETWORK";

    /// The file with certificates, within the job.
    private static final String CERTIFICATES = "ca.pem";

    private static final String ADDRESS = "http://127.0.0.1:" + PORT;
    private static final String LOCAL = "localhost,127.0.0.1,::1";
    private static final String NODE = "--require=/run/guest/node/proxy.cjs";

    private static final List<String> CERTIFICATE_VARIABLES =
            List.of(
                    "SSL_CERT_FILE",
                    "REQUESTS_CA_BUNDLE",
                    "CURL_CA_BUNDLE",
                    "GIT_SSL_CAINFO",
                    "PIP_CERT",
                    "NODE_EXTRA_CA_CERTS");

    private final DoorListener listener;
    private final Map<String, String> variables;

    private NetworkListener(DoorListener listener, Map<String, String> variables) {
        this.listener = listener;
        this.variables = Map.copyOf(variables);
    }

    /// Listens in a box for its first run.
    public static NetworkListener open(Box box, NetworkDoor door) throws IOException {
        var variables = variables();
        if (door.certificates().isPresent()) {
            var path = box.put(CERTIFICATES, Files.readAllBytes(door.certificates().get()));
            CERTIFICATE_VARIABLES.forEach(name -> variables.put(name, path));
        }
        var listener = DoorListener.at(box, PORT, CONNECTIONS_MAX);
        listener.turnTo(door);
        return new NetworkListener(listener, variables);
    }

    private static Map<String, String> variables() {
        var all = new HashMap<String, String>();
        for (var name : List.of("http_proxy", "https_proxy", "all_proxy")) {
            all.put(name, ADDRESS);
            all.put(name.toUpperCase(Locale.ROOT), ADDRESS);
        }
        all.put("no_proxy", LOCAL);
        all.put("NO_PROXY", LOCAL);
        all.put("NODE_USE_ENV_PROXY", "1");
        all.put("npm_config_offline", "false");
        all.put(VARIABLE, "1");
        return all;
    }

    /// The run, whose program is told of the proxy. What its caller set stays.
    public Run told(Run run) {
        var all = new HashMap<>(variables);
        all.put("NODE_OPTIONS", run.limits().nodeOptions() + " " + NODE);
        all.putAll(run.env());
        return run.with(all);
    }

    /// From now on connections are those of a run.
    public void turnTo(NetworkDoor next) {
        listener.turnTo(next);
    }

    /// The run is over: its connections are closed, and nobody gets another.
    public void turnAway() {
        listener.turnAway();
    }

    @Override
    public void close() {
        listener.close();
    }
}
