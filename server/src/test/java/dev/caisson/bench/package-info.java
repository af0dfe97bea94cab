/// Benchmark of cold starts: what a sandbox made for one run costs beside a bare process.
@NullMarked
package dev.caisson.bench;

import org.jspecify.annotations.NullMarked;
