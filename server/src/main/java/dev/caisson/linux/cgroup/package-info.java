/// Chamber of `linux`: control groups of version 1 and 2.
@NullMarked
package dev.caisson.linux.cgroup;

import org.jspecify.annotations.NullMarked;
