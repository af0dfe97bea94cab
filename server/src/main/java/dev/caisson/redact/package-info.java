/// Ground: takes secrets out of what leaves the server.
@NullMarked
package dev.caisson.redact;

import org.jspecify.annotations.NullMarked;
