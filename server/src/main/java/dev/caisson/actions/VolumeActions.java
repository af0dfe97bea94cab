package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.json.Json;
import dev.caisson.storage.FileService;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.VolumeInfo;
import tools.jackson.databind.node.ObjectNode;

/// Changes of volumes and of who may use them.
public final class VolumeActions {
    private final Broker broker;
    private final FileService files;

    VolumeActions(Broker broker, FileService files) {
        this.broker = broker;
        this.files = files;
    }

    public VolumeInfo create(Call call, String name) throws InterruptedException {
        return change(
                call,
                "volume_create",
                named(name),
                noted -> files.spaces().volumes().create(noted.caller(), name));
    }

    public void delete(Call call, String name) throws InterruptedException {
        change(
                call,
                "volume_delete",
                named(name),
                noted -> {
                    files.spaces().volumes().delete(noted.caller(), name);
                    return name;
                });
    }

    /// @param grantee the id of the caller who may use it from now on
    public VolumeInfo grant(Call call, String name, String grantee, VolumeAccess access)
            throws InterruptedException {
        return change(
                call,
                "volume_grant",
                named(name).put("caller", grantee).put("access", access.word()),
                noted -> files.spaces().volumes().grant(noted.caller(), name, grantee, access));
    }

    public void revoke(Call call, String name, String grantee) throws InterruptedException {
        change(
                call,
                "volume_revoke",
                named(name).put("caller", grantee),
                noted -> {
                    files.spaces().volumes().revoke(noted.caller(), name, grantee);
                    return name;
                });
    }

    private static ObjectNode named(String name) {
        return Json.object().put("name", name);
    }

    private <T> T change(
            Call call, String action, ObjectNode arguments, Broker.Work<T, RuntimeException> work)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change(action, arguments),
                noted -> {
                    var result = work.run(noted);
                    files.volumesChanged();
                    return result;
                });
    }
}
