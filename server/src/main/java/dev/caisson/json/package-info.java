/// Ground: JSON values, schemas derived from records, and their validation.
@NullMarked
package dev.caisson.json;

import org.jspecify.annotations.NullMarked;
