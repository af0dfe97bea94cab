package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The files for operators name nothing that the server does not have.
class DeployFilesTest {
    private static final Path DEPLOY = Repository.ROOT.resolve("deploy");
    private static final Pattern METRIC = Pattern.compile("\\bcaisson_[a-z_]+");

    @Test
    void alerts_and_dashboard_name_metrics_that_exist() throws IOException {
        var documented = names(Files.readString(Repository.ROOT.resolve("docs/configuration.md")));
        var used = new TreeSet<String>();
        used.addAll(names(Files.readString(DEPLOY.resolve("alerts.yaml"))));
        used.addAll(names(Files.readString(DEPLOY.resolve("grafana-dashboard.json"))));
        assertThat(used).hasSizeGreaterThan(12);
        assertThat(documented).containsAll(used);
    }

    private static Set<String> names(String text) {
        return METRIC.matcher(text)
                .results()
                .map(found -> found.group().replaceFirst("_bucket$", ""))
                .collect(Collectors.toSet());
    }

    @Test
    void there_are_six_alerts_and_each_says_what_to_do() throws IOException {
        var alerts = Files.readString(DEPLOY.resolve("alerts.yaml"));
        assertThat(alerts.split("- alert: ", -1)).hasSize(1 + 6);
        assertThat(alerts.split("action: ", -1)).hasSize(1 + 6);
        assertThat(alerts.split("expr: ", -1)).hasSize(1 + 6);
    }

    @Test
    void the_dashboard_has_panels_with_queries() throws IOException {
        var panels =
                Json.parse(Files.readString(DEPLOY.resolve("grafana-dashboard.json")))
                        .path("panels");
        assertThat(panels).hasSizeGreaterThan(10);
        for (var panel : panels) {
            assertThat(panel.path("targets")).isNotEmpty();
        }
    }

    /// What a proxy must not do is hold back what a program prints.
    @Test
    void proxies_pass_streams_on() throws IOException {
        assertThat(Files.readString(DEPLOY.resolve("nginx.conf")))
                .contains("proxy_buffering off;", "proxy_read_timeout 2h;", "Host $host;");
        assertThat(Files.readString(DEPLOY.resolve("Caddyfile"))).contains("flush_interval -1");
    }
}
