/// Chamber of `linux`: the syscall policy, and its compiler to a filter program.
@NullMarked
package dev.caisson.linux.seccomp;

import org.jspecify.annotations.NullMarked;
