/// Web console as the server delivers it: static files of the build, and their security headers.
@NullMarked
package dev.caisson.console;

import org.jspecify.annotations.NullMarked;
