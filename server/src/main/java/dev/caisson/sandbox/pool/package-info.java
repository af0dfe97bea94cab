/// Chamber of `sandbox`: the pool of waiting sandboxes, and the places callers divide between them.
@NullMarked
package dev.caisson.sandbox.pool;

import org.jspecify.annotations.NullMarked;
