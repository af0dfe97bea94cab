/// Ground: the kernel's doors. Mounts, process descriptors, control groups, loop images, the
/// syscall filter.
@NullMarked
package dev.caisson.linux;

import org.jspecify.annotations.NullMarked;
