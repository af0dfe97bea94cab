/// Chamber of `storage`: walks through hostile trees, and removal from them.
@NullMarked
package dev.caisson.storage.tree;

import org.jspecify.annotations.NullMarked;
