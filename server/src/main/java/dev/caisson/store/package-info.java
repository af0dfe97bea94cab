/// Ground: SQL. Connections, migrations, group commit, and files for what is on its way there.
@NullMarked
package dev.caisson.store;

import org.jspecify.annotations.NullMarked;
