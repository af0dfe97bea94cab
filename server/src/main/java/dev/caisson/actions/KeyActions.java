package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.identity.KeyActor;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.Keys;
import dev.caisson.identity.NewKey;
import dev.caisson.json.Json;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Creation and revocation of API keys. A change that is made has its entry in the ledger from
/// [Keys], in one transaction with the change; a refused one has it from the broker.
public final class KeyActions {
    private final Broker broker;
    private final Keys keys;

    public KeyActions(Broker broker, Keys keys) {
        this.broker = broker;
        this.keys = keys;
    }

    /// @param arguments as they came
    /// @param wanted reads them; what it refuses is recorded
    public NewKey create(Call call, ObjectNode arguments, Supplier<KeyRequest> wanted)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("key_create", arguments),
                noted -> {
                    var made = keys.create(wanted.get(), actor(noted));
                    noted.notes().recorded();
                    return made;
                });
    }

    /// @throws Refusal NOT_FOUND when there is no key with this id
    public KeyInfo revoke(Call call, String id) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("key_revoke", Json.object().put("id", id)),
                noted -> {
                    var revoked =
                            keys.revoke(id, actor(noted))
                                    .orElseThrow(() ->
                                            new Refusal(
                                                    Reason.NOT_FOUND,
                                                    "There is no key " + id + "."));
                    noted.notes().recorded();
                    return revoked;
                });
    }

    private static KeyActor actor(Call call) {
        return new KeyActor(call.caller().id(), call.door(), call.trace().id());
    }
}
