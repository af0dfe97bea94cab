package dev.caisson.storage;

import java.util.List;
import java.util.Optional;

/// A part of a list of files, in the order of their paths.
///
/// @param next where the next part begins; absent on the last one
/// @param complete false when the tree is larger or deeper than the server looks
public record FilePage(List<StoredFile> files, Optional<String> next, boolean complete) {
    public FilePage {
        files = List.copyOf(files);
    }
}
