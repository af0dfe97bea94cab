package dev.caisson;

import dev.caisson.actions.ProfileActions;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.cli.ProfileAdmin;
import dev.caisson.identity.SecretFile;
import dev.caisson.json.Records;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.profiles.ProfileBody;
import dev.caisson.profiles.ProfileView;
import dev.caisson.profiles.Profiles;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Administration of the profiles in the database for the command line. A server beside it sees
/// every change.
final class StoredProfileAdmin implements ProfileAdmin {
    private final Store store;
    private final Profiles profiles;
    private final ProfileActions actions;

    StoredProfileAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        var digest = new KeyedDigest(SecretFile.read(Core.secret(config.data())));
        store = Database.open(config.data());
        profiles = ProfileWiring.profiles(config, store, clock);
        actions = new ProfileActions(StoredKeyAdmin.broker(config, store, digest, clock), profiles);
    }

    @Override
    public List<ObjectNode> list() {
        return profiles.list().stream()
                .map(profile -> Records.tree(ProfileView.of(profile)))
                .toList();
    }

    @Override
    public Optional<ObjectNode> show(String name) {
        return profiles.find(name).map(profile -> Records.tree(ProfileView.of(profile)));
    }

    @Override
    public ObjectNode set(String name, ObjectNode body) {
        var stored =
                StoredKeyAdmin.uninterrupted(
                        () -> actions.put(StoredKeyAdmin.call(), name, body, () -> wanted(body)));
        return Records.tree(ProfileView.of(stored));
    }

    private static ProfileActions.Wanted wanted(ObjectNode body) {
        var complaints = Schema.of(SchemaOf.record(ProfileBody.class)).complaints(body);
        if (!complaints.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The profile is not valid: " + String.join("; ", complaints));
        }
        var read = Records.read(body, ProfileBody.class);
        return new ProfileActions.Wanted(read.settings(), read.keptSecrets());
    }

    @Override
    public void remove(String name) {
        StoredKeyAdmin.uninterrupted(() -> {
            actions.remove(StoredKeyAdmin.call(), name);
            return name;
        });
    }

    @Override
    public void close() {
        store.close();
    }
}
