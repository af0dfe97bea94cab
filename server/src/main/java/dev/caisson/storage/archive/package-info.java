/// Chamber of `storage`: tar and zip archives of a tree.
@NullMarked
package dev.caisson.storage.archive;

import org.jspecify.annotations.NullMarked;
