/// Chamber of `sandbox`: the runtime `NestRuntime`, which forks sandboxes out of one nest per
/// caller.
@NullMarked
package dev.caisson.sandbox.nest;

import org.jspecify.annotations.NullMarked;
