package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// File service for tools and REST: the files, links to them, and those who want to hear of
/// changes.
public final class FileService {
    /// As `expected_hash`: there is nothing yet.
    private static final String NOTHING = "none";

    /// What `expected_hash` looks like.
    public static final String EXPECTED = "^(" + NOTHING + "|" + ContentHash.PATTERN + ")$";

    private final FileSpaces spaces;
    private final Links links;
    private final Changes changes;
    private final UploadMeter uploads;

    public FileService(FileSpaces spaces, Links links, Changes changes) {
        this(spaces, links, changes, UploadMeter.NONE);
    }

    /// @param uploads is asked before anything is stored
    public FileService(FileSpaces spaces, Links links, Changes changes, UploadMeter uploads) {
        this.uploads = uploads;
        this.spaces = spaces;
        this.links = links;
        this.changes = changes;
    }

    public FileSpaces spaces() {
        return spaces;
    }

    public Links links() {
        return links;
    }

    /// What callers upload is counted here before it is stored.
    public UploadMeter uploads() {
        return uploads;
    }

    /// A link to fetch a file; absent where nobody serves links, and for a caller who may not read
    /// files.
    public Optional<String> url(Caller caller, FileSpace space, FilePath path) {
        return reads(caller)
                ? links.toFetch(caller, space, path).map(Links.Made::url)
                : Optional.empty();
    }

    /// An address below which a thread's files can be fetched by whoever has it; absent as a link.
    ///
    /// @param directory of the thread, outside of which it fetches nothing
    /// @param used how long the program may run that is given it
    public Optional<String> baseUrl(
            Caller caller, String threadId, FilePath directory, Duration used) {
        return reads(caller) ? links.baseOf(caller, threadId, directory, used) : Optional.empty();
    }

    /// What an argument `expected_hash` means.
    public static Expected expected(Optional<String> hash) {
        return hash.<Expected>map(text ->
                        text.equals(NOTHING)
                                ? new Expected.Nothing()
                                : new Expected.OneOf(Set.of(text)))
                .orElse(Expected.anything());
    }

    /// Files of a caller's thread, or of a volume, are not what they were.
    ///
    /// @param events the same for those who follow the files
    public void changed(
            Caller caller,
            FileSpace space,
            Collection<FilePath> paths,
            Supplier<List<FileEvent>> events) {
        changedAt(spaces.place(caller, space, VolumeAccess.READ), space, paths, events);
    }

    /// The same for the one of all threads or volumes that is at a place.
    public void changedAt(
            String place,
            FileSpace space,
            Collection<FilePath> paths,
            Supplier<List<FileEvent>> events) {
        spaces.tell(space.source(), place, events);
        var concerns = concerns(place, space);
        changes.announce(new Change.ResourceUpdated(FileUris.of(space), concerns));
        for (var path : paths) {
            changes.announce(new Change.ResourceUpdated(FileUris.of(space, path), concerns));
        }
    }

    /// A thread of a caller's has come or gone.
    public void threadsChanged(Caller caller) {
        announceList(other -> other.id().equals(caller.id()));
    }

    /// A volume has come or gone, or is for others than before. Who they are is not said here:
    /// everybody may look again.
    public void volumesChanged() {
        announceList(_ -> true);
    }

    private void announceList(Predicate<Caller> whom) {
        changes.announce(new Change.Resources(whom.and(FileService::reads)));
    }

    private Predicate<Caller> concerns(String place, FileSpace space) {
        Predicate<Caller> reads = FileService::reads;
        return reads.and(caller -> spaces.isAt(caller, space, place));
    }

    /// Whether a caller reads files at all. Links, resources and news of files are other ways to
    /// the tools of files, for those who have these.
    public static boolean reads(Caller caller) {
        return caller.may(Scope.FILES_READ) && caller.sees(Toolset.FILES.word());
    }
}
