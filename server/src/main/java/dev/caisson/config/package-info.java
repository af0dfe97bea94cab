/// Ground: configuration keys, declared on the records of rooms, bound once, every mistake
/// reported.
@NullMarked
package dev.caisson.config;

import org.jspecify.annotations.NullMarked;
