package dev.caisson.storage.tree;

import dev.caisson.linux.Node;
import dev.caisson.storage.FilePath;

/// Entry of a walk: a file or directory it has met.
///
/// @param name its own, as the kernel has it
@SuppressWarnings("ArrayRecordComponent")
public // Passed on within one walk, never compared.
record WalkEntry(FilePath path, byte[] name, Node node) {}
