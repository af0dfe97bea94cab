/// The web console as the server hands it out: files the build made, and what browsers may do with
/// them.
@NullMarked
package dev.caisson.console;

import org.jspecify.annotations.NullMarked;
