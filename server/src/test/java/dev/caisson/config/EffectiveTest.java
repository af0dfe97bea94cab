package dev.caisson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.Config;
import dev.caisson.identity.AuthSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectiveTest {
    @TempDir Path directory;

    @Test
    void defaults_need_no_file_and_no_environment() throws Mistakes {
        var config = read(Map.of()).as(Config.class);

        assertThat(config.http().host()).isEqualTo("127.0.0.1");
        assertThat(config.http().port()).isEqualTo(8080);
        assertThat(config.http().limits().requests().bodyBytesMax()).isEqualTo(8 << 20);
        assertThat(config.auth().failureWindow()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.running().profile().codeBytesMax()).isEqualTo(1 << 20);
        assertThat(config.running().profile().wallMax()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void file_then_environment_then_flag_wins() throws Exception {
        var file = file("http:\n  port: 1001\n  host: 127.0.0.2\nauth.failures_max: 7\n");
        var environment = Map.of("CAISSON_HTTP_PORT", "1002", "CAISSON_HTTP_HOST", "127.0.0.3");
        var flag = Given.flag("http.port", "1003", "--port");

        var effective = read(Optional.of(file), environment, List.of(flag));

        assertThat(effective.as(Config.class).http().port()).isEqualTo(1003);
        assertThat(effective.as(Config.class).http().host()).isEqualTo("127.0.0.3");
        assertThat(effective.as(Config.class).auth().failuresMax()).isEqualTo(7);
        assertThat(origin(effective, "http.port")).isEqualTo("flag --port");
        assertThat(origin(effective, "http.host")).isEqualTo("environment CAISSON_HTTP_HOST");
        assertThat(origin(effective, "auth.failures_max")).isEqualTo(file + ":4");
        assertThat(origin(effective, "http.requests_max")).isEqualTo("default");
    }

    @Test
    void a_workspace_must_have_room_for_its_files() throws Mistakes {
        var least = Map.of("CAISSON_SANDBOX_WORKSPACE_BYTES", "26662144");
        assertThat(read(least).as(Config.class).files().workspace().files()).isEqualTo(100_000);

        var less = Map.of("CAISSON_SANDBOX_WORKSPACE_BYTES", "26662143");
        assertThat(mistakes(Optional.empty(), less, List.of()).text())
                .contains("sandbox.workspace_bytes", "sandbox.workspace_files", "26662144");
    }

    @Test
    void names_of_other_servers_are_honoured() throws Mistakes {
        var config =
                read(Map.of(
                                "OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example.org:4318",
                                "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20eA==",
                                "OTEL_SERVICE_NAME", "box-7",
                                "MCP_HTTP_ADDR", ":9000",
                                "MCP_API_TOKEN", "a-token-of-thirty-two-characters",
                                "SANDBOX_ROOT", "/srv/threads",
                                "FILE_SECRET", "test-file-secret",
                                "PUBLIC_BASE_URL", "https://caisson.example.org/x",
                                "DOCKER_HOST", "unix:///run/docker.sock"))
                        .as(Config.class);

        var telemetry = config.telemetry();
        assertThat(telemetry.endpoint().orElseThrow()).hasHost("otel.example.org");
        assertThat(telemetry.headers()).isEqualTo(Map.of("authorization", "Basic eA=="));
        assertThat(telemetry.serviceName()).isEqualTo("box-7");
        assertThat(config.http().host()).isEqualTo("0.0.0.0");
        assertThat(config.http().port()).isEqualTo(9000);
        assertThat(config.auth().apiToken()).contains("a-token-of-thirty-two-characters");
        assertThat(config.data().threadsDirectory()).isEqualTo(Path.of("/srv/threads"));
        assertThat(config.files().links().secret()).contains("test-file-secret");
        assertThat(config.http().publicBaseUrl().orElseThrow()).hasPath("/x");
        assertThat(config.running().sandboxes().dockerHost()).contains("unix:///run/docker.sock");
    }

    @Test
    void our_own_name_wins_over_one_of_another_server() throws Mistakes {
        var config =
                read(Map.of("MCP_HTTP_ADDR", "[::1]:9000", "CAISSON_HTTP_PORT", "9001"))
                        .as(Config.class);

        assertThat(config.http().host()).isEqualTo("::1");
        assertThat(config.http().port()).isEqualTo(9001);
    }

    @Test
    void all_mistakes_come_at_once_with_origin_and_remedy() throws IOException {
        var file = file("http:\n  prot: 1\nauth:\n  failures_max: many\n  failures_max: 2\n");
        var environment =
                Map.of("CAISSON_HTTP_PORT", "70000", "CAISSON_SANDBOX_WALL_MAXX", "secret-thing");
        var flag = Given.flag("sandbox.memory_bytes", "lots", "--set");

        var mistakes = mistakes(Optional.of(file), environment, List.of(flag));

        assertThat(mistakes.text()).startsWith("There are 6 mistakes in the configuration:");
        assertThat(mistakes.all())
                .extracting(Mistake::sentence)
                .containsExactlyInAnyOrder(
                        "http.prot (" + file + ":2) is not a known key. Did you mean http.port?",
                        "auth.failures_max ("
                                + file
                                + ":5) is written twice. Keep one of the two lines.",
                        "auth.failures_max = \"many\" ("
                                + file
                                + ":4) must be a whole number from 1 to 1000000. Correct it; the"
                                + " default is 3.",
                        "http.port = \"70000\" (environment CAISSON_HTTP_PORT) must be a whole"
                                + " number from 0 to 65535. Correct it; the default is 8080.",
                        "CAISSON_SANDBOX_WALL_MAXX (environment CAISSON_SANDBOX_WALL_MAXX) is not a"
                                + " known key. Did you mean CAISSON_SANDBOX_WALL_MAX?",
                        "sandbox.memory_bytes = \"lots\" (flag --set) must be a size from 16MiB to"
                                + " 1TiB (units B, kB, KiB, MB, MiB, GB, GiB). Correct it; the"
                                + " default is 512MiB.");
    }

    @Test
    void a_token_that_can_be_guessed_is_for_this_machine_alone() throws Mistakes {
        var enough = "x".repeat(AuthSettings.TOKEN_LENGTH_MIN);
        var few = enough.substring(1);

        var here = read(Map.of("MCP_API_TOKEN", few)).as(Config.class);
        var everywhere =
                read(Map.of("MCP_API_TOKEN", enough, "MCP_HTTP_ADDR", ":9000")).as(Config.class);
        var refused =
                mistakes(
                        Optional.empty(),
                        Map.of("MCP_API_TOKEN", few, "MCP_HTTP_ADDR", ":9000"),
                        List.of());

        assertThat(here.auth().isTokenShort()).isTrue();
        assertThat(everywhere.auth().isTokenShort()).isFalse();
        assertThat(refused.text())
                .contains("auth.api_token", "fewer than 32 characters")
                .doesNotContain(few);
    }

    @Test
    void a_secret_is_never_repeated() throws Mistakes {
        var good = read(Map.of("MCP_API_TOKEN", "tell-nobody-this"));
        var bad = mistakes(Optional.empty(), Map.of("MCP_API_TOKEN", "bad one"), List.of());

        assertThat(good.lines().toString()).contains("(set)").doesNotContain("tell-nobody-this");
        assertThat(good.as(Config.class).toString()).doesNotContain("tell-nobody-this");
        assertThat(bad.text()).contains("auth.api_token").doesNotContain("bad one");
    }

    @Test
    void what_opens_a_collector_is_never_repeated() throws Mistakes {
        var good = read(Map.of("OTEL_EXPORTER_OTLP_HEADERS", "key=tell-nobody"));
        var bad =
                mistakes(
                        Optional.empty(),
                        Map.of(
                                "CAISSON_TELEMETRY_OTLP_HEADERS", "tell-nobody",
                                "CAISSON_TELEMETRY_OTLP_ENDPOINT", "https://a:tell-nobody@b"),
                        List.of());

        assertThat(good.lines().toString()).doesNotContain("tell-nobody");
        assertThat(good.as(Config.class).toString()).doesNotContain("tell-nobody");
        assertThat(bad.all()).hasSize(2);
        assertThat(bad.text()).contains("telemetry.otlp_endpoint").doesNotContain("tell-nobody");
    }

    @Test
    void without_keys_only_loopback_is_served() throws Mistakes {
        var off = Given.flag("auth.enabled", "false", "--no-auth");
        var everywhere = Given.flag("http.host", "0.0.0.0", "--host");

        for (var host : List.of("localhost", "127.0.0.1", "127.9.9.9", "::1")) {
            var here = Given.flag("http.host", host, "--host");
            var config = read(Optional.empty(), Map.of(), List.of(off, here)).as(Config.class);
            assertThat(config.auth().enabled()).isFalse();
        }
        assertThat(mistakes(Optional.empty(), Map.of(), List.of(off, everywhere)).text())
                .contains("(flag --no-auth) must stay true while http.host is 0.0.0.0");
    }

    @Test
    void values_that_do_not_fit_together_are_mistakes() {
        var flags =
                List.of(
                        Given.flag("http.tls_key", "/etc/key.pem", "--set"),
                        Given.flag("sandbox.wall_default", "2h", "--set"));

        var mistakes = mistakes(Optional.empty(), Map.of(), flags);

        assertThat(mistakes.all())
                .extracting(Mistake::key)
                .containsExactlyInAnyOrder("http.tls_key", "sandbox.wall_default");
    }

    @Test
    void a_file_that_was_named_must_be_there_and_be_yaml() throws IOException {
        var missing = directory.resolve("missing.yaml");

        assertThat(mistakes(Optional.of(missing), Map.of(), List.of()).text())
                .contains("does not exist");
        assertThat(mistakes(Optional.of(file("http: [1, {")), Map.of(), List.of()).text())
                .contains("is not valid YAML");
        assertThat(mistakes(Optional.of(file("just words")), Map.of(), List.of()).text())
                .contains("is not a map of keys");
        assertThat(
                        mistakes(
                                        Optional.of(file("#".repeat(ConfigFile.BYTES_MAX + 1))),
                                        Map.of(),
                                        List.of())
                                .text())
                .contains("is larger than");
    }

    @Test
    void an_empty_file_is_fine_and_so_is_one_of_the_largest_size() throws Exception {
        assertThat(read(Optional.of(file("")), Map.of(), List.of()).lines()).isNotEmpty();
        var largest = file("#".repeat(ConfigFile.BYTES_MAX));
        assertThat(read(Optional.of(largest), Map.of(), List.of()).lines()).isNotEmpty();
    }

    @Test
    void the_environment_can_name_the_file() throws Exception {
        var file = file("http.allowed_hosts: [one.example, two.example]\n");

        var config = read(Map.of("CAISSON_CONFIG", file.toString())).as(Config.class);

        assertThat(config.http().access().allowedHosts())
                .containsExactlyInAnyOrder("one.example", "two.example");
    }

    @Test
    void the_usual_places_depend_on_the_user() {
        var environment = Map.of("XDG_DATA_HOME", "/xdg");
        var home = Path.of("/home/ada");
        var root = new Sources(Optional.empty(), environment, List.of(), home, true);
        var plain = new Sources(Optional.empty(), Map.of(), List.of(), home, false);
        var xdg = new Sources(Optional.empty(), environment, List.of(), home, false);

        assertThat(root.usualData()).isEqualTo(Path.of("/var/lib/caisson"));
        assertThat(root.usualFile()).isEqualTo(Path.of("/etc/caisson/caisson.yaml"));
        assertThat(plain.usualData()).isEqualTo(Path.of("/home/ada/.local/share/caisson"));
        assertThat(plain.usualFile()).isEqualTo(Path.of("/home/ada/.config/caisson/caisson.yaml"));
        assertThat(xdg.usualData()).isEqualTo(Path.of("/xdg/caisson"));
    }

    @Test
    void the_password_of_a_database_stands_apart_from_its_address() throws Mistakes {
        var data =
                read(Map.of(
                                "CAISSON_DATA_DATABASE_URL",
                                "postgresql://db:5432/caisson?sslmode=require",
                                "CAISSON_DATA_DATABASE_USER",
                                "anna",
                                "CAISSON_DATA_DATABASE_PASSWORD",
                                "s3cret"))
                        .as(Config.class)
                        .data();
        assertThat(data.databaseUrl()).contains("postgresql://db:5432/caisson?sslmode=require");
        assertThat(data.databasePassword()).contains("s3cret");
        assertThat(data.toString()).doesNotContain("s3cret");

        var wrong =
                List.of(
                        "postgresql://anna:s3cret@db/caisson",
                        "postgresql://db/caisson?password=s3cret",
                        "mysql://db/caisson");
        for (var url : wrong) {
            var mistakes =
                    mistakes(Optional.empty(), Map.of("CAISSON_DATA_DATABASE_URL", url), List.of());
            assertThat(mistakes.text()).contains("data.database_url").doesNotContain("s3cret");
        }
        var alone = Map.of("CAISSON_DATA_DATABASE_USER", "anna");
        assertThat(mistakes(Optional.empty(), alone, List.of()).text())
                .contains("data.database_user", "data.database_url");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "caisson", ".yaml"), text);
    }

    private Effective read(Map<String, String> environment) throws Mistakes {
        return read(Optional.empty(), environment, List.of());
    }

    private Effective read(Optional<Path> file, Map<String, String> environment, List<Given> flags)
            throws Mistakes {
        return Effective.read(
                Config.class, new Sources(file, environment, flags, directory, false));
    }

    private Mistakes mistakes(
            Optional<Path> file, Map<String, String> environment, List<Given> flags) {
        return catchThrowableOfType(Mistakes.class, () -> read(file, environment, flags));
    }

    private static String origin(Effective effective, String key) {
        return effective.lines().stream()
                .filter(line -> line.key().equals(key))
                .map(line -> line.origin().words())
                .findFirst()
                .orElseThrow();
    }
}
