package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.json.Json;
import dev.caisson.profiles.NamedProfile;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.profiles.Profiles;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Changes of profiles.
public final class ProfileActions {
    private static final String SECRETS = "secret_env_vars";

    private final Broker broker;
    private final Profiles profiles;

    public ProfileActions(Broker broker, Profiles profiles) {
        this.broker = broker;
        this.profiles = profiles;
    }

    /// Settings for a profile.
    ///
    /// @param keptSecrets names of secrets that stay as they are
    public record Wanted(ProfileSettings settings, Set<String> keptSecrets) {
        public Wanted {
            keptSecrets = Set.copyOf(keptSecrets);
        }
    }

    /// @param arguments as they came; the record has of their secrets only the names
    /// @param wanted reads them; what it refuses is recorded
    public NamedProfile put(Call call, String name, ObjectNode arguments, Supplier<Wanted> wanted)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("profile_set", named(name, arguments)),
                _ -> {
                    var whole = wanted.get();
                    return profiles.put(name, whole.settings(), whole.keptSecrets());
                });
    }

    public void remove(Call call, String name) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("profile_remove", Json.object().put("name", name)),
                _ -> {
                    profiles.remove(name);
                    return name;
                });
    }

    private static ObjectNode named(String name, ObjectNode arguments) {
        var all = arguments.deepCopy();
        var names = Json.array();
        arguments.path(SECRETS).propertyNames().forEach(names::add);
        all.set(SECRETS, names);
        return all.put("name", name);
    }
}
