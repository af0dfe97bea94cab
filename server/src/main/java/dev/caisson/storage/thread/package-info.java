/// Chamber of `storage`: index, writers and removal of threads.
@NullMarked
package dev.caisson.storage.thread;

import org.jspecify.annotations.NullMarked;
