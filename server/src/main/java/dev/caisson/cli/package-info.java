/// The command line: what can be typed, and what is said about it. What the commands do is handed
/// in as a [Product].
@NullMarked
package dev.caisson.cli;

import org.jspecify.annotations.NullMarked;
