package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.config.Declarations;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Setting;
import dev.caisson.config.Sources;
import dev.caisson.redact.PersonalKind;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.session.SessionLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The keys that the rooms declare, and the document about them.
class ConfigTest {
    private static final String IN_THE_REPOSITORY = "docs/configuration.md";
    private static final Path AS_IT_IS = Path.of("target/configuration.md");

    /// The sections of a table, and the table below.
    private static final Pattern TABLE =
            Pattern.compile("<!-- keys: ([a-z ]+) -->\n\n(?:\\|.*\n)*");

    private static final Declarations KEYS = Declarations.of(Config.class);

    /// Tables are made of what the rooms declare; all else in the document is written by hand.
    @Test
    void the_tables_of_the_document_say_what_the_rooms_declare() throws Exception {
        var written = Repository.text(IN_THE_REPOSITORY);
        var now = TABLE.matcher(written).replaceAll(match -> table(match.group(1)));
        Files.writeString(AS_IT_IS, now);

        assertThat(written)
                .as("if this change is wanted: cp server/%s %s", AS_IT_IS, IN_THE_REPOSITORY)
                .isEqualTo(now);
    }

    @Test
    void every_key_is_documented_once() {
        var documented =
                TABLE.matcher(Repository.text(IN_THE_REPOSITORY))
                        .results()
                        .flatMap(match -> Stream.of(match.group(1).split(" ")))
                        .toList();
        var sections =
                KEYS.all().stream()
                        .map(setting -> setting.name().replaceFirst("\\..*", ""))
                        .collect(Collectors.toSet());
        sections.addAll(KEYS.families());

        assertThat(KEYS.all()).hasSizeGreaterThan(80);
        assertThat(documented).containsExactlyInAnyOrderElementsOf(sections);
    }

    @Test
    void no_two_keys_share_a_name_or_a_variable() {
        assertThat(KEYS.all()).extracting(Setting::name).doesNotHaveDuplicates();
        assertThat(KEYS.all()).extracting(Setting::variable).doesNotHaveDuplicates();
        assertThat(KEYS.all()).flatExtracting(Setting::alsoRead).doesNotHaveDuplicates();
    }

    /// Reading fails for a default that is no value, and for one that does not fit another.
    @Test
    void every_default_is_a_valid_value() throws Exception {
        var effective = Effective.read(Config.class, sources());

        assertThat(effective.lines()).hasSameSizeAs(KEYS.all());
        assertThat(effective.lines()).allMatch(line -> line.origin().words().equals("default"));
    }

    /// An operator may be warned of neither; a name gives it away.
    @Test
    void a_key_that_is_named_like_a_secret_is_one() {
        var suspicious = Pattern.compile("(secrets?|token|password|headers)$");
        var named =
                KEYS.all().stream()
                        .filter(setting -> suspicious.matcher(setting.name()).find())
                        .toList();

        assertThat(named).hasSizeGreaterThan(4).allMatch(Setting::secret);
    }

    @Test
    void every_kind_of_personal_data_can_be_configured_alone_and_all_at_once() throws Exception {
        for (var kind : PersonalKind.values()) {
            assertThat(personal(kind.word())).containsExactly(kind);
        }
        assertThat(personal("true")).containsExactlyInAnyOrder(PersonalKind.values());
        assertThat(personal("mail, iban"))
                .containsExactlyInAnyOrder(PersonalKind.MAIL, PersonalKind.IBAN);
        assertThat(personal("false")).isEmpty();
        assertThatThrownBy(() -> personal("blood")).isInstanceOf(Mistakes.class);
    }

    private static Set<PersonalKind> personal(String text) throws Exception {
        return config("redact.personal_data", text).running().profile().redaction().personal();
    }

    @Test
    void as_many_sandboxes_can_be_configured_as_there_can_be() throws Exception {
        var most = Integer.toString(SandboxSettings.PLACES_MAX);
        var tooMany = Integer.toString(SandboxSettings.PLACES_MAX + 1);

        assertThat(HostSettings.sandboxes(config("sandbox.concurrency", most)).places())
                .isEqualTo(SandboxSettings.PLACES_MAX);
        assertThatThrownBy(() -> config("sandbox.concurrency", tooMany))
                .isInstanceOf(Mistakes.class);
    }

    @Test
    void memory_of_all_sandboxes_is_enough_for_one_run_and_half_of_it_is_not_for_sessions()
            throws Exception {
        var little = config("sandbox.memory_total_bytes", "1B").running();
        assertThat(little.sandboxes().sharing().memoryBytes()).isEqualTo(512L << 20);
        assertThat(little.sessions().memoryBytes())
                .as("one session always fits")
                .isEqualTo(512L << 20);

        var some = config("sandbox.memory_total_bytes", "4GiB").running();
        assertThat(some.sandboxes().sharing().memoryBytes()).isEqualTo(4L << 30);
        assertThat(some.sessions().memoryBytes()).isEqualTo(2L << 30);
        assertThat(config("sandbox.sessions_memory_bytes", "1GiB").running().sessions())
                .extracting(SessionLimits::memoryBytes)
                .isEqualTo(1L << 30);
        assertThat(config("sandbox.sessions_max", "0").running().sessions().total()).isZero();
    }

    /// A run that may have more than the machine must not lift the limit above all runs.
    @Test
    void memory_of_all_sandboxes_that_follows_from_the_machine_is_never_raised() throws Exception {
        var machine = config("sandbox.memory_bytes", "512MiB").running();
        var more = config("sandbox.memory_bytes", "1TiB").running();
        assertThat(more.sandboxes().sharing().memoryBytes())
                .isEqualTo(machine.sandboxes().sharing().memoryBytes())
                .isLessThan(1L << 40);
    }

    @Test
    void words_of_a_key_are_those_of_its_enum() throws Exception {
        for (var language : Language.values()) {
            var chosen = config("sandbox.default_language", language.word());
            assertThat(chosen.running().profile().defaultLanguage()).isEqualTo(language);
        }
        var words = Arrays.stream(Layer.values()).map(Layer::word).collect(Collectors.joining(","));
        assertThat(config("sandbox.accept_missing", words).running().sandboxes().acceptMissing())
                .containsExactlyInAnyOrder(Layer.values());
    }

    @Test
    void every_layer_is_documented_in_its_own_words() {
        var document = Repository.text(IN_THE_REPOSITORY);

        assertThat(Layer.values()).hasSize(14);
        for (var layer : Layer.values()) {
            assertThat(document).contains("| `" + layer.word() + "` | " + layer.promise() + " |");
        }
    }

    @Test
    void layers_are_accepted_by_name_and_a_name_that_is_none_gets_the_choices() throws Exception {
        var accepted = config("sandbox.accept_missing", "own_user, bounded_tmp");

        assertThat(HostSettings.sandboxes(accepted).acceptMissing())
                .isEqualTo(Set.of(Layer.OWN_USER, Layer.BOUNDED_TMP));
        assertThatThrownBy(() -> config("sandbox.accept_missing", "own_user,seatbelt"))
                .isInstanceOf(Mistakes.class)
                .hasMessageContainingAll("sandbox.accept_missing", "any of namespaces, own_user,");
    }

    @Test
    void profiles_have_the_names_an_operator_gives_them() throws Exception {
        var effective =
                Effective.read(
                        Config.class,
                        sources(
                                Given.flag("profiles.small.memory_bytes", "64MiB", "--set"),
                                Given.flag("profiles.small.timeout", "5s", "--set"),
                                Given.flag("profiles.small.env_vars.PLACE", "a, b", "--set"),
                                Given.flag(
                                        "profiles.small.secret_env_vars.TOKEN", "hidden", "--set"),
                                Given.flag("profiles.big.toolsets", "core,files", "--set")));
        var profiles = Config.of(effective).running().profiles();
        var small = Optional.ofNullable(profiles.get("small")).orElseThrow().settings();

        assertThat(profiles).containsOnlyKeys("small", "big");
        assertThat(small.limits().memoryBytes()).contains(64L << 20);
        assertThat(small.limits().timeoutSeconds()).contains(5L);
        assertThat(small.variables().plain()).containsEntry("PLACE", "a, b");
        assertThat(small.variables().secret()).containsEntry("TOKEN", "hidden");
        assertThat(effective.lines()).hasSize(KEYS.all().size() + 5);
        assertThat(effective.lines().toString())
                .contains("profiles.small.secret_env_vars.TOKEN")
                .doesNotContain("hidden");
    }

    @Test
    void all_mistakes_in_profiles_are_reported_at_once_and_no_value_is_repeated() {
        assertThatThrownBy(() ->
                        Config.read(
                                sources(
                                        Given.flag("profiles.a.memory_byte", "hidden", "--set"),
                                        Given.flag("profiles.a.cpus", "many", "--set"),
                                        Given.flag("profiles.B.cpus", "1", "--set"),
                                        Given.flag("profiles.c.timeout", "9s", "--set"),
                                        Given.flag("profiles.c.timeout_max", "8s", "--set"),
                                        Given.flag("profiles.d.toolsets", "coer", "--set"))))
                .isInstanceOfSatisfying(
                        Mistakes.class, mistakes -> assertThat(mistakes.all()).hasSize(5))
                .hasMessageContaining("Did you mean profiles.a.memory_bytes?")
                .hasMessageContaining("profiles.a.cpus (flag --set) must be a number")
                .hasMessageContaining("profiles.NAME.KEY")
                .hasMessageContaining("profiles.c.timeout (flag --set) is more than timeout_max")
                .hasMessageContaining("profiles.d.toolsets (flag --set) names coer")
                .hasMessageNotContaining("hidden");
    }

    private static String table(String sections) {
        var rows =
                Stream.of(sections.split(" "))
                        .flatMap(section -> KEYS.section(section).stream())
                        .map(ConfigTest::row)
                        .collect(Collectors.joining());
        return "<!-- keys: %s -->\n\n| key | type | default | what it is |\n|---|---|---|---|\n%s"
                .formatted(sections, rows);
    }

    private static String row(Setting setting) {
        var also = setting.alsoRead();
        return "| `%s` | %s | %s | %s |\n"
                .formatted(
                        setting.name(),
                        setting.type().word(),
                        setting.initial().isEmpty() ? "" : "`" + setting.initial() + "`",
                        setting.doc() + (also.isEmpty() ? "" : " Also `" + also.getFirst() + "`."));
    }

    private static Config config(String key, String text) throws Mistakes {
        return Config.read(sources(Given.flag(key, text, "--set")));
    }

    private static Sources sources(Given... flags) {
        return new Sources(
                Optional.empty(), Map.of(), List.of(flags), Path.of("/nonexistent"), false);
    }
}
