/// Chamber of `linux`: file systems in images, and the thread that mounts them.
@NullMarked
package dev.caisson.linux.mount;

import org.jspecify.annotations.NullMarked;
