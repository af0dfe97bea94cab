/// Chamber of `sandbox`: discovery of interpreters and images.
@NullMarked
package dev.caisson.sandbox.runners;

import org.jspecify.annotations.NullMarked;
