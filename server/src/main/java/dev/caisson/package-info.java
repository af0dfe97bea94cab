/// Entry point, wiring, and the work of the commands.
@NullMarked
package dev.caisson;

import org.jspecify.annotations.NullMarked;
