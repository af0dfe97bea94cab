/// Ground: the kernel's doors. Mounts, process descriptors, control groups, loop images, the
/// syscall filter, the table of connections.
@NullMarked
package dev.caisson.linux;

import org.jspecify.annotations.NullMarked;
