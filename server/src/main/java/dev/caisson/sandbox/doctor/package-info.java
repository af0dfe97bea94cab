/// Chamber of `sandbox`: attacks on a sandbox from inside, to see which layers hold.
@NullMarked
package dev.caisson.sandbox.doctor;

import org.jspecify.annotations.NullMarked;
