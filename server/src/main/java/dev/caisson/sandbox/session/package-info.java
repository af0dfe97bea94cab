/// Chamber of `sandbox`: sandboxes whose interpreter runs one program after another.
@NullMarked
package dev.caisson.sandbox.session;

import org.jspecify.annotations.NullMarked;
