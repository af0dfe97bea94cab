package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.environments.BakeRecord;
import dev.caisson.environments.Environments;
import dev.caisson.environments.Lock;
import dev.caisson.json.Json;

/// Changes of environments: what is baked under which name.
public final class EnvironmentActions {
    private final Broker broker;
    private final Environments environments;

    EnvironmentActions(Broker broker, Environments environments) {
        this.broker = broker;
        this.environments = environments;
    }

    /// Starts a bake; the name stands for it when it is done.
    public BakeRecord bake(Call call, String name, Lock lock) throws InterruptedException {
        var arguments = Json.object().put("name", name);
        lock.python().ifPresent(text -> arguments.put("python", text));
        lock.node().ifPresent(text -> arguments.put("node", text));
        var preload = arguments.putArray("preload");
        lock.preload().forEach(preload::add);
        return broker.act(
                call,
                ActionRequest.change("environment_bake", arguments),
                _ -> environments.bake(name, lock));
    }

    public void remove(Call call, String name) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("environment_remove", Json.object().put("name", name)),
                _ -> {
                    environments.remove(name);
                    return name;
                });
    }
}
