package dev.caisson.linux;

import java.util.OptionalLong;

/// How full a file system or a tree is.
///
/// @param bytesMax and `filesMax` absent where nothing but the host's disk is the limit
public record Room(long bytesUsed, OptionalLong bytesMax, long filesUsed, OptionalLong filesMax) {}
