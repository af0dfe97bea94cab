/// Chamber of `storage`: rows, mounts and grants of volumes.
@NullMarked
package dev.caisson.storage.volume;

import org.jspecify.annotations.NullMarked;
