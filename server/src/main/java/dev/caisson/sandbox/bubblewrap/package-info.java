/// Chamber of `sandbox`: sandboxes made with bubblewrap.
@NullMarked
package dev.caisson.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
