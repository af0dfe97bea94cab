package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.config.Config;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import dev.caisson.http.HttpLimits;
import dev.caisson.mcp.McpLimits;
import dev.caisson.redact.PersonalKind;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.session.SessionLimits;
import dev.caisson.storage.OutputLimits;
import dev.caisson.tools.Profile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The configuration and the rooms agree, though neither knows the other.
class RoomSettingsTest {
    @Test
    void a_default_of_the_configuration_is_the_rooms_own() throws Exception {
        var config = config();
        var sandboxes = RoomSettings.sandboxes(config);

        var part = RoomSettings.part(config.shares());
        assertThat(RoomSettings.http(config.http(), part).limits()).isEqualTo(HttpLimits.DEFAULT);
        assertThat(RoomSettings.mcp(config.mcp(), part)).isEqualTo(McpLimits.DEFAULT);
        assertThat(RoomSettings.output(config.sandbox())).isEqualTo(OutputLimits.DEFAULT);
        assertThat(RoomSettings.profile(config.sandbox(), config.redact()))
                .isEqualTo(Profile.DEFAULT);
        assertThat(RoomSettings.sessions(config)).isEqualTo(SessionLimits.DEFAULT);
        assertThat(sandboxes.places()).isEqualTo(SandboxSettings.PLACES_DEFAULT);
        assertThat(sandboxes.waitingMax()).isEqualTo(SandboxSettings.WAITING_DEFAULT);
        assertThat(sandboxes.users()).isEqualTo(SandboxSettings.UserRange.DEFAULT);
        assertThat(sandboxes.acceptMissing()).isEmpty();
        assertThat(sandboxes.pool())
                .isEqualTo(
                        PoolSettings.of(
                                Profile.DEFAULT.limits(),
                                PoolSettings.MEMORY_DEFAULT,
                                PoolSettings.IDLE_DEFAULT));
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
        var config = config("redact.personal_data", text);
        return RoomSettings.profile(config.sandbox(), config.redact()).redaction().personal();
    }

    @Test
    void as_many_sandboxes_can_be_configured_as_there_can_be() throws Exception {
        var most = Integer.toString(SandboxSettings.PLACES_MAX);
        var tooMany = Integer.toString(SandboxSettings.PLACES_MAX + 1);

        assertThat(RoomSettings.sandboxes(config("sandbox.concurrency", most)).places())
                .isEqualTo(SandboxSettings.PLACES_MAX);
        assertThatThrownBy(() -> config("sandbox.concurrency", tooMany))
                .isInstanceOf(Mistakes.class);
    }

    @Test
    void layers_and_languages_have_the_same_names() {
        assertThat(dev.caisson.config.SandboxSettings.LAYERS)
                .containsExactlyElementsOf(Arrays.stream(Layer.values()).map(Layer::word).toList());
        assertThat(dev.caisson.config.SandboxSettings.LANGUAGES)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Language.values()).map(Language::word).toList());
    }

    @Test
    void every_layer_is_documented_in_its_own_words() {
        var document = Repository.text("docs/configuration.md");

        assertThat(Layer.values()).hasSize(14);
        for (var layer : Layer.values()) {
            assertThat(document).contains("| `" + layer.word() + "` | " + layer.promise() + " |");
        }
    }

    @Test
    void layers_are_accepted_by_name_and_a_name_that_is_none_gets_the_choices() throws Exception {
        var accepted = config("sandbox.accept_missing", "own_user, bounded_tmp");

        assertThat(RoomSettings.sandboxes(accepted).acceptMissing())
                .isEqualTo(Set.of(Layer.OWN_USER, Layer.BOUNDED_TMP));
        assertThatThrownBy(() -> config("sandbox.accept_missing", "own_user,seatbelt"))
                .isInstanceOf(Mistakes.class)
                .hasMessageContainingAll("sandbox.accept_missing", "any of namespaces, own_user,");
    }

    private static Config config(String... pair) throws Mistakes {
        var flags =
                pair.length == 0
                        ? List.<Given>of()
                        : List.of(Given.flag(pair[0], pair[1], "--set"));
        var sources =
                new Sources(Optional.empty(), Map.of(), flags, Path.of("/nonexistent"), false);
        return Effective.read(sources).config();
    }
}
