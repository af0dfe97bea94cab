/// Actions that are no tools: changes of keys, volumes and threads, uploads and downloads. Every
/// one passes the broker and is recorded; doors have no other way to them.
@NullMarked
package dev.caisson.actions;

import org.jspecify.annotations.NullMarked;
