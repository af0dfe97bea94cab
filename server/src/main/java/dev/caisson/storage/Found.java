package dev.caisson.storage;

import dev.caisson.linux.Node;

/// Something a walk has met.
///
/// @param name its own, as the kernel has it
@SuppressWarnings("ArrayRecordComponent") // Passed on within one walk, never compared.
record Found(FilePath path, byte[] name, Node node) {}
