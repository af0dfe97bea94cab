/// Tools: those of a coding agent on the files of a thread, one file per tool; never names a
/// protocol.
@NullMarked
package dev.caisson.devtools;

import org.jspecify.annotations.NullMarked;
