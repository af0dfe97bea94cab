package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Variables;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Runners;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a call says comes before what its key says, and that before what its profile says. Toolsets
/// and volumes are in `ProfilesTest` and, against a call, in `ToolsetFilter` and `RunVolumes`.
class ProfilePrecedenceTest {
    private static final Profile SERVER = Profile.DEFAULT;

    private static Profile profile(String json) {
        return SERVER.with(Records.read(Json.parse(json), ProfileSettings.class));
    }

    private static LimitsWish wish(String json) {
        return Records.read(Json.parse(json), LimitsWish.class);
    }

    private static Limits limits(Profile profile, String wish) {
        return profile.limits(Optional.empty(), wish(wish));
    }

    @Test
    void without_settings_a_profile_is_the_server_s() {
        assertThat(profile("{}")).isEqualTo(SERVER);
    }

    @Test
    void language() {
        assertThat(profile("{\"default_language\":\"bash\"}").defaultLanguage())
                .isEqualTo(Language.BASH);
    }

    @Test
    void time() {
        var profile = profile("{\"timeout_seconds\":5,\"timeout_seconds_max\":9}");
        assertThat(limits(profile, "{}").wall()).hasSeconds(5);
        assertThat(profile.limits(Optional.of(Duration.ofSeconds(7)), LimitsWish.NONE).wall())
                .hasSeconds(7);
        assertThat(profile.wallMax()).hasSeconds(9);
        assertThat(profile("{\"timeout_seconds_max\":3}").limits().wall()).hasSeconds(3);
        assertThat(profile("{\"timeout_seconds\":7200}").wallMax()).hasSeconds(7200);
        assertThat(profile("{\"timeout_seconds\":5}").wallMax()).isEqualTo(SERVER.wallMax());
    }

    @Test
    void memory() {
        var profile = profile("{\"memory_bytes\":67108864,\"memory_bytes_max\":134217728}");
        assertThat(limits(profile, "{}").memoryBytes()).isEqualTo(64 << 20);
        assertThat(limits(profile, "{\"memory_mib\":128}").memoryBytes()).isEqualTo(128 << 20);
        assertThat(limits(profile, "{\"memory_mib\":16}").memoryBytes()).isEqualTo(16 << 20);
        assertThatThrownBy(() -> limits(profile, "{\"memory_mib\":129}"))
                .hasMessageContaining("limits.memory_mib")
                .hasMessageContaining("at most 128 MiB");
    }

    @Test
    void cores() {
        var profile = profile("{\"cpus\":0.5,\"cpus_max\":2.0}");
        assertThat(limits(profile, "{}").cpus()).isEqualTo(0.5);
        assertThat(limits(profile, "{\"cpus\":2.0}").cpus()).isEqualTo(2.0);
        assertThatThrownBy(() -> limits(profile, "{\"cpus\":2.5}"))
                .hasMessageContaining("at most 2.0");
    }

    @Test
    void processes() {
        var profile = profile("{\"processes\":16,\"processes_max\":32}");
        assertThat(limits(profile, "{}").processes()).isEqualTo(16);
        assertThat(limits(profile, "{\"processes\":32}").processes()).isEqualTo(32);
        assertThatThrownBy(() -> limits(profile, "{\"processes\":33}"))
                .hasMessageContaining("at most 32");
    }

    @Test
    void without_a_maximum_a_call_gets_no_more_than_every_run() {
        assertThatThrownBy(() -> limits(SERVER, "{\"processes\":129}"))
                .hasMessageContaining("at most 128");
        assertThatThrownBy(() -> limits(profile("{\"processes\":16}"), "{\"processes\":17}"))
                .hasMessageContaining("at most 16");
        assertThat(profile("{\"processes_max\":8}").limits().processes()).isEqualTo(8);
    }

    @Test
    void environment_variables() {
        var profile =
                profile(
                        """
                        {"env_vars":{"A":"profile","B":"profile","C":"profile"},
                         "secret_env_vars":{"S":"profile-secret","T":"profile-secret-2"}}
                        """);
        var key = new Variables(Map.of("B", "key", "C", "key"), Map.of("T", "key-secret"));
        var env = RunEnvironment.of(profile, key, Map.of("C", "call"), List.of());
        assertThat(env.all())
                .containsEntry("A", "profile")
                .containsEntry("B", "key")
                .containsEntry("C", "call")
                .containsEntry("S", "profile-secret")
                .containsEntry("T", "key-secret");
        assertThat(env.secretValues()).contains("profile-secret", "profile-secret-2", "key-secret");
    }

    /// What a call asks for is in `PackagesTest`, with environments that are there.
    @Test
    void environments() {
        var all = RunProfiles.only(SERVER);
        assertThat(all.environments("default", List.of())).isEmpty();
        assertThat(all.environments("default", List.of("web", "data")))
                .contains(List.of("web", "data"));
        var runners = new Runners(Map.of(), List.of());
        assertThat(EnvironmentChoice.usual(runners, Optional.of(List.of("web", "data"))))
                .containsExactly("web");
        assertThat(EnvironmentChoice.usual(runners, Optional.of(List.of()))).isEmpty();
        assertThat(EnvironmentChoice.usual(runners, Optional.empty())).isEqualTo(runners.usual());
    }

    @Test
    void variables_in_advance_are_as_restricted_as_those_of_a_call() {
        for (var name : List.of("PATH", "LD_PRELOAD", "lower", "A-B", "CAISSON_X")) {
            assertThatThrownBy(() ->
                            RunEnvironment.requireStanding(
                                    new Variables(Map.of(), Map.of(name, "x"))))
                    .isInstanceOf(dev.caisson.call.Refusal.class);
        }
        RunEnvironment.requireStanding(new Variables(Map.of("A1_B", "x"), Map.of()));
    }

    @Test
    void no_text_has_a_value_of_a_variable() {
        assertThat(profile("{\"secret_env_vars\":{\"S\":\"hidden-value\"}}").toString())
                .doesNotContain("hidden-value");
    }
}
