package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultEntry;
import dev.caisson.json.Json;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Changes and lists of the secrets in the vault. A record has the name of a secret, and nothing
/// that was made from its value.
public final class SecretActions {
    private final Broker broker;
    private final Vault vault;

    public SecretActions(Broker broker, Vault vault) {
        this.broker = broker;
        this.vault = vault;
    }

    /// @param value reads it; what it refuses is recorded
    public VaultEntry put(Call call, String name, Supplier<String> value)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("secret_set", named(name)),
                _ -> vault.put(name, value.get()));
    }

    public void remove(Call call, String name) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("secret_remove", named(name)),
                _ -> {
                    vault.remove(name);
                    return name;
                });
    }

    public List<VaultEntry> list(Call call) throws InterruptedException {
        return broker.act(
                call, ActionRequest.read("secret_list", Json.object()), _ -> vault.list());
    }

    private static ObjectNode named(String name) {
        return Json.object().put("name", name);
    }
}
