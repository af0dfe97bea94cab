/// Chamber of `storage`: workspaces that are open, made ahead or temporary.
@NullMarked
package dev.caisson.storage.image;

import org.jspecify.annotations.NullMarked;
