package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;

/// Address of a thread or a volume, as the file tools take it.
public record StorageAddress(
        Source source,
        @Describe("thread_id, or name of the volume.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                String id) {
    public FileSpace space() {
        return new FileSpace(source, id);
    }
}
