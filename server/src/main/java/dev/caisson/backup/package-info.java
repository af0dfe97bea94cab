/// Backup and restoration of everything a server keeps.
@NullMarked
package dev.caisson.backup;

import org.jspecify.annotations.NullMarked;
