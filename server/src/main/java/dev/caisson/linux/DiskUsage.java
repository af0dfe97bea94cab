package dev.caisson.linux;

import java.util.OptionalLong;

/// Disk usage of a file system or a tree.
///
/// @param bytesMax and `filesMax` absent where nothing but the host's disk is the limit
public record DiskUsage(
        long bytesUsed, OptionalLong bytesMax, long filesUsed, OptionalLong filesMax) {}
