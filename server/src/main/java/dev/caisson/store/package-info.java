/// Ground: SQL. Connections, migrations, group commit.
@NullMarked
package dev.caisson.store;

import org.jspecify.annotations.NullMarked;
