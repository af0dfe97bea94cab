/// Chamber of `storage`: changes of several files, made whole or not at all.
@NullMarked
package dev.caisson.storage.change;

import org.jspecify.annotations.NullMarked;
