/// Chamber of `linux`: system calls and functions of the C library as methods.
@NullMarked
package dev.caisson.linux.calls;

import org.jspecify.annotations.NullMarked;
