/// Storage of threads and volumes: their workspaces, their files, and signed links to them.
///
/// It has many files because the vocabulary of files is for other rooms, which use nearly each type
/// by itself; what only this room uses stands in its chambers.
@NullMarked
package dev.caisson.storage;

import org.jspecify.annotations.NullMarked;
