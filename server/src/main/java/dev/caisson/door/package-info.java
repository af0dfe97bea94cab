/// The way of programs to tools: what connects from inside a sandbox speaks frames here, and each
/// call in them goes through the broker as any other.
@NullMarked
package dev.caisson.door;

import org.jspecify.annotations.NullMarked;
