package dev.caisson;

import dev.caisson.actions.ApprovalActions;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.cli.ApprovalAdmin;
import dev.caisson.cli.DataUse;
import dev.caisson.identity.SecretFile;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.policy.Approval;
import dev.caisson.policy.ApprovalAnswers.ApprovalShown;
import dev.caisson.policy.ApprovalDesk;
import dev.caisson.policy.ApprovalStore;
import dev.caisson.store.Store;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Administration of approvals in the database for the command line. A server beside it hears of
/// every decision within a second.
final class StoredApprovalAdmin implements ApprovalAdmin {
    private static final int SHOWN_MAX = 200;

    private final Store store;
    private final ApprovalActions actions;
    private final Path directory;

    StoredApprovalAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        directory = config.data().directory();
        var digest = new KeyedDigest(SecretFile.read(Core.secret(config.data())));
        store = Database.open(config.data());
        // A server asks again whether the definition is the same, where it lets the call go.
        actions =
                new ApprovalActions(
                        StoredKeyAdmin.broker(config, store, digest, clock),
                        new ApprovalDesk(
                                new ApprovalStore(store, new StoredProcesses(store, clock), clock),
                                PolicyWiring.offline(config.policy(), store, clock),
                                _ -> true));
    }

    @Override
    public JsonNode list(boolean all) {
        var list = Json.array();
        actions.list(Caller.LOCAL, !all, "", SHOWN_MAX)
                .forEach(one -> list.add(Records.tree(ApprovalShown.of(one))));
        return list;
    }

    @Override
    public JsonNode decide(
            String id, boolean approve, String scope, boolean arguments, Optional<String> reason) {
        var decision =
                new ApprovalDesk.Decision(
                        approve,
                        Approval.Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
                        arguments,
                        reason);
        return Records.tree(
                ApprovalShown.of(
                        StoredKeyAdmin.uninterrupted(
                                () -> actions.decide(StoredKeyAdmin.call(), id, decision))));
    }

    @Override
    public DataUse dataUse() {
        return new DataUse(directory, store.isServed(directory));
    }

    @Override
    public void close() {
        store.close();
    }
}
