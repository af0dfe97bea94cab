package dev.caisson.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaissonTest {
    private static final List<String> COMMANDS =
            List.of("serve", "stdio", "key", "ledger", "backup", "restore", "config", "doctor");

    @TempDir Path data;

    private final FakeProduct product = new FakeProduct();

    private record Ran(int code, String out, String err) {}

    @Test
    void help_names_every_command_and_each_has_its_own() {
        var help = run("--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains(COMMANDS);
        for (var command : COMMANDS) {
            assertThat(run(command, "--help").out()).contains("Usage: caisson " + command);
        }
        assertThat(run("key", "create", "--help").out()).contains("--scope");
    }

    @Test
    void every_help_text_fits_a_terminal_and_has_no_hole() {
        var seen = new ArrayList<String>();
        lookAtHelp(seen, List.of());

        assertThat(seen).hasSizeGreaterThan(40);
    }

    private void lookAtHelp(List<String> seen, List<String> command) {
        var words = new ArrayList<>(command);
        words.add("--help");
        var help = run(words.toArray(String[]::new)).out();
        seen.add(String.join(" ", command));
        assertThat(help).as("help of %s", command).contains("Usage: ").doesNotContain("null");
        var examples = help.indexOf("Examples:");
        if (examples >= 0) {
            assertThat(help.substring(examples).lines().skip(1))
                    .as("examples of %s, of which a line that is too long is broken", command)
                    .allMatch(
                            line -> line.isBlank() || line.startsWith("  ") || endsExamples(line));
        }
        var commands = help.indexOf("Commands:");
        if (commands < 0) {
            return;
        }
        help.substring(commands)
                .lines()
                .skip(1)
                .takeWhile(line -> line.startsWith("  "))
                .filter(line -> line.charAt(2) != ' ')
                .map(line -> line.strip().split(" +", 2)[0])
                .forEach(name -> lookAtHelp(seen, plus(command, name)));
    }

    private static boolean endsExamples(String line) {
        return line.endsWith(":");
    }

    private static List<String> plus(List<String> command, String name) {
        var longer = new ArrayList<>(command);
        longer.add(name);
        return longer;
    }

    @Test
    void the_ledger_is_verified_against_a_head_that_looks_like_one() {
        var head = "12:" + "a".repeat(64);

        assertThat(run("ledger", "verify", "--head", head, "--json").out())
                .contains("verified " + head + " as JSON");
        var wrong = run("ledger", "verify", "--head", "12");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--head").doesNotContain("\tat ");
        assertThat(run("ledger", "export").out()).contains("exported");
    }

    @Test
    void a_backup_needs_a_place() {
        assertThat(run("backup", "/srv/copy").out()).contains("backed up to /srv/copy");
        assertThat(run("restore", "/srv/copy").out()).contains("restored from /srv/copy");
        assertThat(run("backup").code()).isEqualTo(2);
    }

    @Test
    void version_is_the_products() {
        assertThat(run("--version").out()).matches("caisson \\d+\\.\\d+\\.\\d+\\R");
    }

    @Test
    void without_a_command_the_usage_is_an_error() {
        var nothing = run();

        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("Usage: caisson");
    }

    @Test
    void a_mistyped_command_or_flag_gets_a_hint_and_code_2() {
        var command = run("sevre");
        var flag = run("serve", "--prot", "80");

        assertThat(command.code()).isEqualTo(2);
        assertThat(command.err())
                .contains("Unknown command sevre. Did you mean serve?")
                .doesNotContain("\tat ");
        assertThat(flag.code()).isEqualTo(2);
        assertThat(flag.err())
                .contains("Unknown option --prot. Did you mean --port?", "caisson serve --help")
                .doesNotContain("\tat ");
        assertThat(run("key", "create", "x", "--day=3").err()).contains("Did you mean --days?");
        assertThat(run("key", "lits").err()).contains("Unknown command lits. Did you mean list?");
        assertThat(run("serve", "80").err()).contains("Unknown argument 80.");
        assertThat(run("serve", "--quite-different").err())
                .contains("Unknown option --quite-different.")
                .doesNotContain("Did you mean");
    }

    @Test
    void configuration_mistakes_are_listed_with_code_2() {
        var ran = run("serve", "--port", "many", "--set", "http.prot=1", "--set", "mcp.heartbeat");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("There are 3 mistakes in the configuration:")
                .contains("http.port = \"many\" (flag --port)", "Did you mean http.port?")
                .doesNotContain("\tat ");
        assertThat(product.served).isEmpty();
    }

    @Test
    void serve_passes_its_flags_on() {
        var ran = run("serve", "--port", "0", "--host", "::1", "--no-auth", "--data", "" + data);

        assertThat(ran.code()).isZero();
        var config = product.served.getFirst();
        assertThat(config.http().port()).isZero();
        assertThat(config.http().host()).isEqualTo("::1");
        assertThat(config.auth().enabled()).isFalse();
        assertThat(config.data().directory()).isEqualTo(data);
    }

    @Test
    void no_auth_is_refused_on_an_address_others_reach_but_not_for_stdio() {
        var open = run("serve", "--no-auth", "--host", "0.0.0.0");
        var stdio = run("stdio", "--no-auth", "--set", "http.host=0.0.0.0");

        assertThat(open.code()).isEqualTo(2);
        assertThat(open.err()).contains("--no-auth", "loopback");
        assertThat(stdio.code()).isZero();
    }

    @Test
    void a_refusal_is_a_sentence_with_code_1() {
        product.failure = new CommandFailed("Port 80 is taken.");

        var ran = run("serve");

        assertThat(ran).isEqualTo(new Ran(1, "", "Port 80 is taken." + System.lineSeparator()));
    }

    @Test
    void keys_are_created_listed_and_revoked() {
        var created = run("key", "create", "laptop", "--scope", "run", "--days", "30", "--json");
        var id = Json.parse(created.out()).get("id").stringValue();
        var listed = Json.parse(run("key", "list", "--json").out());

        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).get("name").stringValue()).isEqualTo("laptop");
        assertThat(listed.get(0).get("scopes").get(0).stringValue()).isEqualTo("run");
        assertThat(listed.get(0).has("expires")).isTrue();
        assertThat(run("key", "list").out()).contains(id, "valid").doesNotContain("csn_");
        assertThat(run("key", "revoke", id).out()).contains("Revoked " + id);
        assertThat(run("key", "list").out()).contains("revoked");
    }

    @Test
    void a_key_may_run_code_and_use_files_unless_told_otherwise() {
        run("key", "create", "plain");

        assertThat(product.desk.keys.getFirst().scopes())
                .isEqualTo(Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE));
    }

    @Test
    void a_key_is_made_with_volumes_and_listed_with_them() {
        run("key", "create", "team", "--volume", "data:rw", "--volume", "models");

        assertThat(product.desk.keys.getFirst().volumes())
                .containsExactly(
                        new StandingVolume("data", true), new StandingVolume("models", false));
        assertThat(run("key", "list").out()).contains("data:rw, models:ro");
        var listed = Json.parse(run("key", "list", "--json").out());
        assertThat(listed.get(0).get("volumes").toString())
                .isEqualTo("[\"data:rw\",\"models:ro\"]");
        assertThat(run("key", "create", "x", "--volume", "data:all").err())
                .contains("--volume data:all is not the name of a volume");
    }

    @Test
    void the_list_is_aligned_with_local_times_and_the_last_use() {
        var keys = product.desk.keys;
        run("key", "create", "laptop");
        run("key", "create", "a rather longer name", "--days", "30", "--scope", "run");
        var used = Instant.parse("2026-03-01T12:34:56.789Z");
        keys.set(0, used(keys.getFirst(), used));

        var lines = run("key", "list").out().lines().toList();

        var at = used.atZone(ZoneId.systemDefault());
        var shown = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").format(at);
        assertThat(lines.getFirst())
                .matches("ID +NAME +STATE +CREATED +LAST USED +EXPIRES +SCOPES");
        assertThat(lines.get(1).indexOf(shown)).isEqualTo(lines.getFirst().indexOf("LAST USED"));
        assertThat(lines.get(2).indexOf("never")).isEqualTo(lines.getFirst().indexOf("LAST USED"));
        assertThat(lines.get(1).indexOf("run,")).isEqualTo(lines.getFirst().indexOf("SCOPES"));
        assertThat(lines.get(2).indexOf("run")).isEqualTo(lines.getFirst().indexOf("SCOPES"));
        assertThat(
                        Json.parse(run("key", "list", "--json").out())
                                .get(0)
                                .get("last_used")
                                .asString())
                .isEqualTo(used.toString());
    }

    @Test
    void a_key_is_made_with_environments() {
        run("key", "create", "one", "--environment", "web", "--environment", "data");
        assertThat(
                        Json.parse(run("key", "list", "--json").out())
                                .get(0)
                                .get("environments")
                                .toString())
                .isEqualTo("[\"web\",\"data\"]");
        assertThat(run("key", "create", "--help").out()).contains("--environment=NAME");
    }

    private static KeyAdmin.Listed used(KeyAdmin.Listed key, Instant at) {
        return new KeyAdmin.Listed(
                key.id(),
                key.name(),
                key.scopes(),
                key.toolsets(),
                key.volumes(),
                key.created(),
                key.expires(),
                key.revoked(),
                Optional.of(at),
                Optional.of(at),
                key.strictParams(),
                key.profile(),
                key.environments(),
                key.tools(),
                key.network());
    }

    @Test
    void a_key_may_be_made_with_a_network(@TempDir Path directory) throws Exception {
        var file =
                Files.writeString(
                        directory.resolve("network.yaml"), "allow: [{host: a.example}]\n");
        run("key", "create", "a", "--network", file.toString(), "--allow-host", "*.b.example:8080");
        run("key", "create", "b");
        assertThat(product.desk.keys)
                .extracting(KeyAdmin.Listed::network)
                .containsExactly(List.of("a.example", "*.b.example[8080]"), List.of());
        assertThat(run("key", "create", "c", "--allow-host", "a b").err())
                .contains("--allow-host a b: host is no name");
        var other = Files.writeString(directory.resolve("other"), "[1]");
        assertThat(run("key", "create", "c", "--network", other.toString()).err())
                .contains("has no member allow");
        assertThat(run("key", "create", "c", "--network", "/nothing/there").err())
                .contains("cannot be read");
        assertThat(product.desk.keys).hasSize(2);
    }

    @Test
    void a_key_may_be_made_for_some_tools_of_other_servers() {
        run("key", "create", "a", "--tools", "github.*", "--tools", "notes.list");
        run("key", "create", "b");
        run("key", "create", "c", "--tools", "");
        assertThat(product.desk.keys)
                .extracting(key -> key.tools().patterns())
                .containsExactly(List.of("github.*", "notes.list"), List.of("*"), List.of());
        var wrong = run("key", "create", "d", "--tools", "git hub");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("github.*");
    }

    @Test
    void a_change_names_its_data_directory_and_warns_when_no_server_uses_it() {
        assertThat(run("key", "create", "one").out()).contains("Data directory: /srv/caisson.");
        assertThat(run("key", "create", "two").err()).isEmpty();
        assertThat(run("key", "revoke", "key_0").out()).contains("Data directory: /srv/caisson.");

        product.desk.served = false;
        for (var ran :
                List.of(
                        run("key", "create", "three"),
                        run("key", "create", "four", "--json"),
                        run("key", "revoke", "key_1"))) {
            assertThat(ran.code()).isZero();
            assertThat(ran.err()).contains("Warning: No server uses this data directory", "--data");
        }
    }

    @Test
    void a_name_twice_and_a_missing_volume_are_warned_of() {
        run("key", "create", "laptop");

        assertThat(run("key", "create", "laptop").err())
                .contains("Warning: Another key is named laptop too: key_0.");
        run("key", "revoke", "key_0");
        run("key", "revoke", "key_1");
        assertThat(run("key", "create", "laptop").err()).isEmpty();
        assertThat(run("key", "create", "team", "--volume", "data", "--volume", "nosuch:rw").err())
                .contains("Warning: There is no volume nosuch.")
                .doesNotContain("volume data");
        assertThat(run("key", "create", "--help").out())
                .containsIgnoringWhitespaces("sees: " + String.join(", ", Toolset.words()));
    }

    @Test
    void a_wrong_scope_a_wrong_time_and_a_wrong_id_are_named() {
        assertThat(run("key", "create", "x", "--scope", "all").err())
                .contains(
                        "--scope all is not one of run, files_read, files_write, tools, approve, audit, admin");
        assertThat(run("key", "create", "x", "--toolset", "file").err())
                .contains("--toolset file is not one of core, files, dev, conversation, code");
        assertThat(run("key", "create", "x", "--toolset", "files").code()).isZero();
        assertThat(run("key", "create", "x", "--days", "0").code()).isEqualTo(2);
        assertThat(run("key", "create", "x", "--days", "36501").code()).isEqualTo(2);
        assertThat(run("key", "create", "x", "--days", "36500").code()).isZero();
        var missing = run("key", "revoke", "nothing");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("There is no key with the id nothing");
    }

    @Test
    void config_prints_values_and_origins() {
        var text = run("config", "--set", "http.port=9", "--set", "files.secret=abcdefgh-1");
        var json = Json.parse(run("config", "--json", "--set", "http.port=9").out());

        assertThat(text.out())
                .containsPattern("http\\.port +9 +# flag --set")
                .contains("(set)")
                .doesNotContain("abcdefgh-1");
        assertThat(json.get("http.port").get("value").stringValue()).isEqualTo("9");
    }

    @Test
    void a_variable_that_is_none_gets_the_one_it_begins_like() {
        product.environment = Map.of("CAISSON_DATA_DIR", "/srv");

        assertThat(run("config").err())
                .contains("CAISSON_DATA_DIR (environment", "Did you mean CAISSON_DATA_DIRECTORY?");
    }

    @Test
    void variables_of_clients_are_no_configuration() {
        product.environment = Map.of("CAISSON_URL", "http://127.0.0.1:8080", "CAISSON_KEY", "x");

        assertThat(run("config").code()).isZero();
    }

    private Ran run(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Caisson.run(product, new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Ran(code, out.toString(), err.toString());
    }
}
