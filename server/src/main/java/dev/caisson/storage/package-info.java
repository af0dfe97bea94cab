/// Threads, workspaces and spooled output.
@NullMarked
package dev.caisson.storage;

import org.jspecify.annotations.NullMarked;
