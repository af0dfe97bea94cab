package dev.caisson.storage;

import java.util.Optional;

/// Change of one file among several that are made together, see [FileTree#changeAll].
///
/// @param content of the file from then on; absent for one that is removed
/// @param expected what must be there now
/// @param like a file whose permissions it gets; the usual ones where there is none
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record FileChange(
        FilePath path, Optional<byte[]> content, Expected expected, FilePath like) {}
