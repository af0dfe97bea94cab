/// Command line: commands, options and their messages. A [Product] that is handed in does the work.
@NullMarked
package dev.caisson.cli;

import org.jspecify.annotations.NullMarked;
