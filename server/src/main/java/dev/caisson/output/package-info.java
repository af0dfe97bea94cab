/// Output of runs: captured while it is written, kept on disk, read and searched later.
@NullMarked
package dev.caisson.output;

import org.jspecify.annotations.NullMarked;
