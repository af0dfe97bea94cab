package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Toolset;
import dev.caisson.call.Variables;
import dev.caisson.store.StoreTestCase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class KeysTest extends StoreTestCase {
    private final TestClock clock = new TestClock();
    private Keys keys;

    @BeforeEach
    void open() {
        keys = new Keys(store, clock);
    }

    private NewKey create() {
        return keys.create("laptop", Set.of(Scope.RUN), Set.of("core"), Optional.empty());
    }

    /// As the gate does it.
    private Optional<KeyInfo> find(String secret) {
        return Secret.id(secret)
                .flatMap(keys::row)
                .flatMap(row -> row.opened(Secret.hash(secret), clock.instant()));
    }

    private static KeyRequest seeing(List<String> tools) {
        return new KeyRequest(
                "laptop",
                Set.of(Scope.TOOLS),
                Set.of(),
                List.of(),
                Optional.empty(),
                false,
                "default",
                List.of(),
                Variables.NONE,
                new ToolPatterns(tools),
                NetworkRules.NONE);
    }

    @Test
    void a_key_sees_some_tools_of_other_servers() {
        var all = new Keys(store, clock, KeyRecorder.NONE, (_, _) -> {});
        var most = Collections.nCopies(ToolPatterns.COUNT_MAX, "github.list_*");
        for (var taken : List.of(List.<String>of(), List.of("*"), most)) {
            var made = all.create(seeing(taken), KeyActor.inside());
            assertThat(find(made.secret()).orElseThrow().tools().patterns()).isEqualTo(taken);
        }
        var more = Collections.nCopies(ToolPatterns.COUNT_MAX + 1, "github.list_*");
        for (var refused :
                List.of(more, List.of("git hub"), List.of("github"), List.of("a.".repeat(100)))) {
            assertThatThrownBy(() -> all.create(seeing(refused), KeyActor.inside()))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("github.*");
        }
        assertThat(all.create(requested(), KeyActor.inside()).info().tools())
                .isEqualTo(ToolPatterns.ALL);
    }

    private static KeyRequest requested() {
        return new KeyRequest(
                "laptop", Set.of(Scope.RUN), Set.of(), List.of(), Optional.empty(), false);
    }

    @Test
    void a_key_keeps_its_profile_environments_and_variables_and_shows_no_value() {
        var all = new Keys(store, clock, KeyRecorder.NONE, (_, _) -> {});
        var wanted =
                new KeyRequest(
                        "laptop",
                        Set.of(Scope.RUN),
                        Set.of(),
                        List.of(),
                        Optional.empty(),
                        false,
                        "small",
                        List.of("web", "data"),
                        new Variables(Map.of("PLACE", "north"), Map.of("TOKEN", "hidden-value")),
                        new ToolPatterns(List.of("github.*")),
                        new NetworkRules(
                                List.of(
                                        new NetworkRule(
                                                "*.files.example",
                                                List.of(80, 8080),
                                                List.of("GET"),
                                                List.of("/v1/*"),
                                                Map.of("X-Api", "hidden-value"),
                                                true),
                                        new NetworkRule("::1", List.of(443)))));
        var key = all.create(wanted, KeyActor.inside());
        var found = find(key.secret()).orElseThrow();
        assertThat(found).isEqualTo(key.info());
        assertThat(found.caller().profile()).isEqualTo("small");
        assertThat(found.caller().tools().patterns()).containsExactly("github.*");
        assertThat(found.caller().environments()).containsExactly("web", "data");
        assertThat(found.caller().variables()).isEqualTo(wanted.variables());
        assertThat(found.caller().toString()).contains("TOKEN").doesNotContain("hidden-value");
        assertThat(wanted.json().toString()).doesNotContain("hidden-value");
        assertThat(having("small")).isEqualTo(1);
        all.revoke(key.info().id());
        assertThat(having("small")).isZero();
        assertThatThrownBy(() -> keys.create(wanted, KeyActor.inside()))
                .hasMessageContaining("no other profile");
    }

    private long having(String profile) {
        return store.read(handle -> Keys.having(handle, profile, clock.instant()));
    }

    @Test
    void a_key_is_found_by_its_secret_with_all_it_was_given() {
        var expires = clock.instant().plusSeconds(60);
        var key =
                keys.create(
                        "laptop",
                        Set.of(Scope.RUN, Scope.FILES_READ),
                        Set.of("core", "files"),
                        List.of(new StandingVolume("b", false), new StandingVolume("a", true)),
                        Optional.of(expires));
        assertThat(find(key.secret())).contains(key.info());
        assertThat(key.info().expires()).contains(expires);
        assertThat(key.info().caller())
                .isEqualTo(
                        new Caller(
                                "key:" + key.info().id(),
                                "laptop",
                                Set.of(Scope.RUN, Scope.FILES_READ),
                                Set.of("core", "files"),
                                List.of(
                                        new StandingVolume("a", true),
                                        new StandingVolume("b", false))));
        assertThat(keys.list()).containsExactly(key.info());
    }

    @Test
    void a_key_has_up_to_sixteen_volumes_each_once() {
        var many =
                IntStream.rangeClosed(0, StandingVolume.COUNT_MAX)
                        .mapToObj(number -> new StandingVolume("v" + number, false))
                        .toList();
        createWith(many.subList(0, StandingVolume.COUNT_MAX));
        assertRefused(() -> createWith(many), "up to 16 volumes");
        var twice = List.of(new StandingVolume("v", false), new StandingVolume("v", true));
        assertRefused(() -> createWith(twice), "each once");
    }

    private NewKey createWith(List<StandingVolume> volumes) {
        return keys.create("v", Set.of(Scope.RUN), Set.of(), volumes, Optional.empty());
    }

    @Test
    void a_volume_of_a_key_is_written_as_a_name_and_how_it_is_mounted() {
        assertThat(StandingVolume.of("data")).contains(new StandingVolume("data", false));
        assertThat(StandingVolume.of("data:ro")).contains(new StandingVolume("data", false));
        assertThat(StandingVolume.of("data:rw")).contains(new StandingVolume("data", true));
        assertThat(StandingVolume.of("a".repeat(63))).isPresent();
        for (var wrong : List.of("", ":rw", "data:", "data:w", "Data", "a/b", "a".repeat(64))) {
            assertThat(StandingVolume.of(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void a_secret_has_256_random_bits_and_names_its_key() {
        var key = create();
        assertThat(key.secret()).matches("ck_[0-9a-f]{16}_[0-9a-f]{64}");
        assertThat(key.secret()).startsWith("ck_" + key.info().id() + "_");
        assertThat(create().secret()).isNotEqualTo(key.secret());
    }

    private static List<String> columns(ResultSet row) throws SQLException {
        var all = new ArrayList<String>();
        for (var column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            all.add(String.valueOf(row.getString(column)));
        }
        return all;
    }

    @Test
    void the_secret_is_neither_stored_nor_printed() throws Exception {
        var key = create();
        var random = key.secret().substring(key.secret().lastIndexOf('_') + 1);
        assertThat(key.toString()).doesNotContain(random);
        var rows =
                store.read(handle ->
                        handle.query("SELECT * FROM api_key").map(KeysTest::columns).list());
        assertThat(rows).hasSize(1);
        assertThat(rows.toString()).contains(key.info().id()).doesNotContain(random);
        try (var files = Files.walk(directory)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .doesNotContain(random);
            }
        }
    }

    @Test
    void a_secret_that_differs_in_one_character_is_nobodys() {
        var secret = create().secret();
        var last = secret.endsWith("0") ? "1" : "0";
        assertThat(find(secret.substring(0, secret.length() - 1) + last)).isEmpty();
        assertThat(find(secret + "0")).isEmpty();
        assertThat(find("")).isEmpty();
        assertThat(find("ck_0000000000000000_" + "0".repeat(64))).isEmpty();
    }

    @Test
    void a_revoked_key_is_found_no_more_and_stays_in_the_list() {
        var key = create();
        assertThat(keys.revoke(key.info().id()).orElseThrow().revoked()).contains(clock.instant());
        var first = clock.instant();
        clock.advance(Duration.ofSeconds(1));
        assertThat(keys.revoke(key.info().id()).orElseThrow().revoked()).contains(first);
        assertThat(find(key.secret())).isEmpty();
        assertThat(keys.list()).extracting(KeyInfo::id).containsExactly(key.info().id());
        assertThat(keys.revoke("nobody")).isEmpty();
    }

    @Test
    void a_key_works_until_the_moment_it_expires() {
        var key =
                keys.create(
                        "short",
                        Set.of(Scope.RUN),
                        Set.of(),
                        Optional.of(clock.instant().plusSeconds(10)));
        clock.advance(Duration.ofMillis(9_999));
        assertThat(find(key.secret())).isPresent();
        clock.advance(Duration.ofMillis(1));
        assertThat(find(key.secret())).isEmpty();
    }

    @Test
    void keys_are_listed_from_the_oldest() {
        var first = create();
        clock.advance(Duration.ofSeconds(1));
        var second = create();
        assertThat(keys.list()).containsExactly(first.info(), second.info());
    }

    @Test
    void names_scopes_and_expiries_that_make_no_sense_are_refused() {
        assertThat(create("n".repeat(KeyRequest.NAME_MAX)).info().name())
                .hasSize(KeyRequest.NAME_MAX);
        assertRefused(() -> create("n".repeat(KeyRequest.NAME_MAX + 1)), "1 to 100");
        assertRefused(() -> create(" "), "1 to 100");
        assertRefused(() -> create("a\nb"), "printable");
        assertRefused(
                () -> keys.create("a", Set.of(), Set.of(), Optional.empty()), "at least one scope");
        assertRefused(
                () -> keys.create("a", Set.of(Scope.RUN), Set.of(), Optional.of(clock.instant())),
                "in the future");
    }

    @Test
    void toolsets_that_do_not_exist_are_refused_with_those_that_do() {
        for (var wrong : Set.of("other", "Files", "files ", "", "fi\nles")) {
            assertRefused(
                    () ->
                            keys.create(
                                    "a",
                                    Set.of(Scope.RUN),
                                    Set.of("core", wrong),
                                    Optional.empty()),
                    "toolsets may be [core, files, dev, conversation, code]");
        }
        var all = Set.copyOf(Toolset.words());
        var made = keys.create("a", Set.of(Scope.RUN), all, Optional.empty());
        assertThat(made.info().toolsets()).isEqualTo(all);
    }

    private NewKey create(String name) {
        return keys.create(name, Set.of(Scope.RUN), Set.of(), Optional.empty());
    }

    private static void assertRefused(Callable<NewKey> creation, String words) {
        assertThatThrownBy(creation::call)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.sentence()).contains(words);
                        });
    }

    @Test
    void the_first_admin_key_is_made_once_whoever_asks() throws Exception {
        var made = 0;
        try (var other = database.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<Optional<NewKey>>>();
            for (var i = 0; i < 20; i++) {
                var one = i % 2 == 0 ? keys : new Keys(other, clock);
                jobs.add(() -> one.createFirstAdmin(_ -> {}));
            }
            for (var done : threads.invokeAll(jobs)) {
                made += done.get().isPresent() ? 1 : 0;
            }
        }
        assertThat(made).isEqualTo(1);
        var admin = keys.list().getFirst();
        assertThat(admin.scopes()).containsExactlyInAnyOrder(Scope.values());
        keys.revoke(admin.id());
        assertThat(keys.createFirstAdmin(_ -> {})).isEmpty();
    }
}
