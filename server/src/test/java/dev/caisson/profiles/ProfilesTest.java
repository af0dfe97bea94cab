package dev.caisson.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.Variables;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ProfilesTest extends StoreTestCase {
    private static final String SECRET = "correct-horse-battery";
    private final AtomicLong holders = new AtomicLong();
    private Profiles profiles;

    @BeforeEach
    void open() {
        profiles = profiles(Map.of());
    }

    private Profiles profiles(Map<String, ProfileSettings> configured) {
        return new Profiles(
                store, Clock.systemUTC(), configured, _ -> {}, (_, _, _) -> holders.get());
    }

    private static ProfileSettings settings(String json) {
        return Records.read(Json.parse(json), ProfileSettings.class);
    }

    private NamedProfile put(String name, String json) {
        return profiles.put(name, settings(json), Set.of());
    }

    private static Caller caller(String profile, Set<String> toolsets, StandingVolume... volumes) {
        return new Caller(
                "key:a",
                "a",
                Set.of(Scope.RUN),
                toolsets,
                List.of(volumes),
                false,
                profile,
                List.of(),
                Variables.NONE);
    }

    @Test
    void a_profile_is_kept_with_every_member() {
        var json =
                """
                {"description":"d","default_language":"bash","timeout_seconds":5,
                 "timeout_seconds_max":10,"memory_bytes":33554432,"memory_bytes_max":67108864,
                 "cpus":0.5,"cpus_max":2.0,"processes":16,"processes_max":32,
                 "environments":["data","dev"],"env_vars":{"A":"1"},"secret_env_vars":{"B":"2"},
                 "volumes":["v:rw"],"toolsets":["core"],"runs_per_minute":3,
                 "cpu_seconds_per_day":4,"bytes_per_day":5}
                """;
        put("small", json);
        assertThat(profiles(Map.of()).find("small").orElseThrow().settings())
                .isEqualTo(settings(json));
        assertThat(profiles.environmentsOf(caller("small", Set.of())))
                .containsExactly("data", "dev");
        var own =
                new Caller(
                        "key:b",
                        "b",
                        Set.of(Scope.RUN),
                        Set.of(),
                        List.of(),
                        false,
                        "small",
                        List.of("web"),
                        Variables.NONE);
        assertThat(profiles.environmentsOf(own)).containsExactly("web");
        assertThat(profiles.applied(own).environments()).containsExactly("web");
    }

    @Test
    void the_default_is_always_there_and_can_be_set_and_reset() {
        assertThat(profiles.list())
                .extracting(NamedProfile::name, NamedProfile::source)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("default", NamedProfile.Source.SERVER));
        holders.set(7);
        put("default", "{\"cpus\":0.5}");
        profiles.remove("default");
        assertThat(profiles.find("default").orElseThrow().settings())
                .isEqualTo(ProfileSettings.NONE);
    }

    @Test
    void a_profile_that_keys_have_stays() {
        put("small", "{}");
        holders.set(2);
        assertThatThrownBy(() -> profiles.remove("small"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
                            assertThat(refusal.isRetryable()).isFalse();
                            assertThat(refusal.sentence()).contains("2 keys have");
                        });
        holders.set(0);
        profiles.remove("small");
        assertThat(profiles.find("small")).isEmpty();
        assertRefused(Reason.NOT_FOUND, () -> profiles.remove("small"));
    }

    /// Another profile might allow more.
    @Test
    void a_caller_whose_profile_is_gone_gets_no_other() {
        assertRefused(Reason.UNAVAILABLE, () -> profiles.of(caller("gone", Set.of())));
    }

    @Test
    void a_profile_of_the_configuration_is_only_read() {
        var fixed = profiles(Map.of("small", settings("{\"cpus\":0.5}")));
        assertThat(fixed.find("small").orElseThrow().source())
                .isEqualTo(NamedProfile.Source.CONFIGURATION);
        assertRefused(Reason.FORBIDDEN, () -> fixed.put("small", ProfileSettings.NONE, Set.of()));
        assertRefused(Reason.FORBIDDEN, () -> fixed.remove("small"));
    }

    @Test
    void secrets_stay_when_they_are_kept_and_only_then() {
        put("small", "{\"secret_env_vars\":{\"TOKEN\":\"" + SECRET + "\",\"OLD\":\"x\"}}");
        profiles.put("small", settings("{\"secret_env_vars\":{\"NEW\":\"y\"}}"), Set.of("TOKEN"));
        assertThat(profiles.find("small").orElseThrow().settings().variables().secret())
                .containsOnly(Map.entry("TOKEN", SECRET), Map.entry("NEW", "y"));
        assertThatThrownBy(() -> profiles.put("small", ProfileSettings.NONE, Set.of("OLD")))
                .hasMessageContaining("keep_secret_env_vars");
    }

    @Test
    void values_of_variables_are_in_no_text_and_no_view() {
        var stored = put("small", "{\"secret_env_vars\":{\"TOKEN\":\"" + SECRET + "\"}}");
        assertThat(stored.toString()).contains("TOKEN").doesNotContain(SECRET);
        assertThat(Json.text(Records.tree(ProfileView.of(stored))))
                .contains("TOKEN")
                .doesNotContain(SECRET);
    }

    @Test
    void mistakes_name_their_member() {
        for (var member : List.of("timeout_seconds", "memory_bytes", "cpus", "processes")) {
            assertThatThrownBy(() ->
                            put(
                                    "a",
                                    "{\"%s\":%d,\"%s_max\":%d}"
                                            .formatted(member, 60 << 20, member, 50 << 20)))
                    .hasMessageContaining(member + " is more than " + member + "_max");
        }
        assertThatThrownBy(() -> put("a", "{\"toolsets\":[\"coer\"]}"))
                .hasMessageContaining("toolsets names coer");
        assertThatThrownBy(() -> put("a", "{\"volumes\":[\"a\",\"a:rw\"]}"))
                .hasMessageContaining("volumes names a twice");
        assertThatThrownBy(() -> put("a", "{\"volumes\":[\"../a\"]}"))
                .hasMessageContaining("not the name of a volume");
        assertThatThrownBy(() ->
                        put("a", "{\"env_vars\":{\"A\":\"1\"},\"secret_env_vars\":{\"A\":\"2\"}}"))
                .hasMessageContaining("secret_env_vars names A");
        for (var name : List.of("", "../x", "Big", "x".repeat(64))) {
            assertRefused(Reason.INVALID_ARGUMENT, () -> put(name, "{}"));
        }
    }

    @Test
    void there_are_so_many_and_no_more() {
        for (int i = 0; i < Profiles.COUNT_MAX; i++) {
            put("p" + i, "{}");
        }
        assertRefused(Reason.INVALID_ARGUMENT, () -> put("one-more", "{}"));
        put("p0", "{\"cpus\":0.5}");
    }

    @Test
    void what_another_server_changes_is_news_here() {
        var other = profiles(Map.of());
        var heard = new ArrayList<Set<String>>();
        other.listen((changed, seen) -> {
            heard.add(changed);
            heard.add(seen);
        });
        put("small", "{\"cpus\":0.5}");
        other.refresh();
        put("small", "{\"cpus\":0.5,\"runs_per_minute\":5}");
        other.refresh();
        other.refresh();
        profiles.remove("small");
        other.refresh();
        assertThat(heard)
                .containsExactly(
                        Set.of("small"),
                        Set.of("small"),
                        Set.of("small"),
                        Set.of(),
                        Set.of("small"),
                        Set.of("small"));
        assertThat(other.find("small")).isEmpty();
    }

    @Test
    void toolsets_and_volumes_of_a_key_come_before_those_of_its_profile() {
        put("small", "{\"toolsets\":[\"core\"],\"volumes\":[\"data:ro\",\"models\"]}");
        var plain = profiles.applied(caller("small", Set.of()));
        assertThat(plain.toolsets()).containsExactly("core");
        assertThat(plain.volumes())
                .extracting(StandingVolume::text)
                .containsExactly("data:ro", "models:ro");

        var own =
                profiles.applied(
                        caller(
                                "small",
                                Set.of("files"),
                                new StandingVolume("data", true),
                                new StandingVolume("mine", false)));
        assertThat(own.toolsets()).containsExactly("files");
        assertThat(own.volumes())
                .extracting(StandingVolume::text)
                .containsExactly("data:rw", "models:ro", "mine:ro");
    }

    @Test
    void a_key_can_only_be_made_for_a_profile_that_exists() {
        put("small", "{}");
        store.write(handle -> {
            profiles.requireExists(handle, "small");
            profiles.requireExists(handle, "default");
            return Optional.empty();
        });
        assertThatThrownBy(() ->
                        store.write(handle -> {
                            profiles.requireExists(handle, "smal");
                            return Optional.empty();
                        }))
                .hasMessageContaining("Did you mean small?");
    }

    private static void assertRefused(Reason reason, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }
}
