package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The files of all threads and volumes, for those who may use them.
public final class FileSpaces {
    private final Threads threads;
    private final Volumes volumes;
    private final FileMeter meter;

    public FileSpaces(Threads threads, Volumes volumes, Metrics metrics) {
        this.threads = threads;
        this.volumes = volumes;
        this.meter = new FileMeter(Optional.of(metrics));
    }

    /// Reads a path that a caller wrote; one that is refused is counted.
    ///
    /// @throws Refusal INVALID_ARGUMENT as [FilePath#parse]
    public <T> T readPath(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (Refusal refusal) {
            meter.refused(FileMeter.Kind.INVALID);
            throw refusal;
        }
    }

    public Threads threads() {
        return threads;
    }

    public Volumes volumes() {
        return volumes;
    }

    /// @throws dev.caisson.call.Refusal NOT_FOUND when the caller has no such thread or volume,
    ///   FORBIDDEN when it may only read
    public FileTree open(Caller caller, FileSpace space, VolumeAccess access) {
        return uncounted(caller, space, access).countedBy(meter);
    }

    private FileTree uncounted(Caller caller, FileSpace space, VolumeAccess access) {
        return switch (space.source()) {
            case THREAD ->
                    access == VolumeAccess.WRITE
                            ? threads.filesMade(caller, space.id())
                            : threads.files(caller, space.id());
            case VOLUME -> volumes.files(caller, space.id(), access);
        };
    }

    /// Opens a space to change it, but makes none.
    ///
    /// @throws dev.caisson.call.Refusal as [#open(Caller, FileSpace, Access)]
    public FileTree openKept(Caller caller, FileSpace space) {
        var files =
                switch (space.source()) {
                    case THREAD -> threads.files(caller, space.id());
                    case VOLUME -> volumes.files(caller, space.id(), VolumeAccess.WRITE);
                };
        return files.countedBy(meter);
    }

    /// What stands for the space in a link: nobody else's has it, and it says nothing else.
    ///
    /// @throws dev.caisson.call.Refusal as [#open]
    public String place(Caller caller, FileSpace space, VolumeAccess access) {
        return switch (space.source()) {
            case THREAD -> Threads.place(caller, space.id());
            case VOLUME -> volumes.place(caller, space.id(), access);
        };
    }

    /// Tells those who listen what happened to files. Only those of threads are listened to.
    ///
    /// @param events made only when somebody listens
    public void tell(Source source, String place, Supplier<List<FileEvent>> events) {
        switch (source) {
            case THREAD -> threads.events().announce(place, events);
            case VOLUME -> {}
        }
    }

    /// Whether a caller's space of that name is the one at a place.
    public boolean isAt(Caller caller, FileSpace space, String place) {
        return switch (space.source()) {
            case THREAD -> Threads.place(caller, space.id()).equals(place);
            case VOLUME -> volumes.isAt(caller, space.id(), place);
        };
    }

    /// Opens what a link was signed for.
    ///
    /// @param holder in whose name, for nobody knows who follows the link
    FileTree open(Source source, String place, String holder) {
        var files =
                switch (source) {
                    case THREAD -> threads.files(place, holder);
                    case VOLUME -> volumes.files(place, holder);
                };
        return files.countedBy(meter);
    }
}
