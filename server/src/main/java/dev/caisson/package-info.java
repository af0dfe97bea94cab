/// The entry point and the wiring.
@NullMarked
package dev.caisson;

import org.jspecify.annotations.NullMarked;
