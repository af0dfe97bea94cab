/// Kernel interfaces: mounts, process descriptors, control groups, loop images, the syscall filter,
/// the table of connections.
///
/// It has some thirty files because other rooms use nearly each of them by itself; what only this
/// room uses stands in its chambers.
@NullMarked
package dev.caisson.linux;

import org.jspecify.annotations.NullMarked;
