package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.storage.volume.VolumeRefusals;
import dev.caisson.storage.volume.VolumeRows;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/// Rights to volumes: which volume a caller means by a name, and what it may do with it. A volume
/// it has no right to is not there for it.
final class VolumeRights {
    private final Store store;
    private final Clock clock;

    VolumeRights(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    Optional<VolumeRows.Row> find(Caller caller, String name) {
        return store.read(handle -> VolumeRows.find(handle, caller.id(), name));
    }

    /// @throws Refusal NOT_FOUND when the caller may not use such a volume, FORBIDDEN when it may
    ///   only read it
    VolumeRows.Row require(Caller caller, String name, VolumeAccess asked) {
        var row = find(caller, name).orElseThrow(VolumeRefusals::absent);
        var access = access(caller, row).orElseThrow(VolumeRefusals::absent);
        if (!access.covers(asked)) {
            throw new Refusal(Reason.FORBIDDEN, "This key may only read the volume " + name + ".");
        }
        return row;
    }

    /// @throws Refusal also FORBIDDEN for all but its owner
    VolumeRows.Row requireOwn(Caller caller, String name) {
        var row = require(caller, name, VolumeAccess.READ);
        if (!row.owner().equals(caller.id())) {
            throw new Refusal(
                    Reason.FORBIDDEN, "Only the owner of the volume " + name + " may do this.");
        }
        return row;
    }

    private Optional<VolumeAccess> access(Caller caller, VolumeRows.Row row) {
        return row.owner().equals(caller.id())
                ? Optional.of(VolumeAccess.WRITE)
                : Optional.ofNullable(grants(row).get(caller.id()));
    }

    /// Who beside the owner may use a volume, by the id of the caller.
    Map<String, VolumeAccess> grants(VolumeRows.Row row) {
        return store.read(handle -> VolumeRows.grants(handle, row.id()));
    }

    /// @throws Refusal NO_CAPACITY when it is granted to too many
    void grant(VolumeRows.Row row, String grantee, VolumeAccess access) {
        store.write(handle -> {
            var grants = VolumeRows.grants(handle, row.id());
            if (!grants.containsKey(grantee) && grants.size() >= Volumes.GRANTS_MAX) {
                throw VolumeRefusals.tooMany(
                        "A volume may be granted to " + Volumes.GRANTS_MAX + " keys. Revoke one");
            }
            VolumeRows.grant(handle, row.id(), grantee, access, clock.instant());
            return row;
        });
    }

    /// @throws Refusal NOT_FOUND when there was no such grant
    void revoke(VolumeRows.Row row, String grantee) {
        if (!store.write(handle -> VolumeRows.revoke(handle, row.id(), grantee))) {
            throw new Refusal(Reason.NOT_FOUND, "The volume is not granted to that key.");
        }
    }
}
