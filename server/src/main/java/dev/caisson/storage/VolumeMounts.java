package dev.caisson.storage;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Register of volumes that are mounted in runs now, for whom, and how those runs are ended when
/// the right to a volume is taken away.
public final class VolumeMounts {
    private final Set<Right> rights = new HashSet<>();

    /// One caller's right to one volume in one run.
    public final class Right implements AutoCloseable {
        private final String volume;
        private final String caller;
        private final VolumeAccess access;
        private Optional<Runnable> end = Optional.empty();
        private boolean ended;

        private Right(String volume, String caller, VolumeAccess access) {
            this.volume = volume;
            this.caller = caller;
            this.access = access;
        }

        /// How the run is ended when the right is: at once, when it has been.
        public void endedBy(Runnable how) {
            boolean now;
            synchronized (this) {
                end = Optional.of(how);
                now = ended;
            }
            if (now) {
                how.run();
            }
        }

        public String volume() {
            return volume;
        }

        public String caller() {
            return caller;
        }

        public VolumeAccess access() {
            return access;
        }

        public void end() {
            Optional<Runnable> how;
            synchronized (this) {
                ended = true;
                how = end;
            }
            how.ifPresent(Runnable::run);
        }

        /// The run is over.
        @Override
        public void close() {
            synchronized (rights) {
                rights.remove(this);
            }
        }
    }

    public Right begin(String volume, String caller, VolumeAccess access) {
        var right = new Right(volume, caller, access);
        synchronized (rights) {
            rights.add(right);
        }
        return right;
    }

    /// Ends the runs in which a caller has a volume with at least this access.
    public void end(String volume, String caller, VolumeAccess atLeast) {
        all().stream()
                .filter(right ->
                        right.volume.equals(volume)
                                && right.caller.equals(caller)
                                && right.access.covers(atLeast))
                .forEach(Right::end);
    }

    /// Those there are now.
    public List<Right> all() {
        synchronized (rights) {
            return List.copyOf(rights);
        }
    }
}
