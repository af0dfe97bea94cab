/// Ground: JSON values, schemas derived from records, and their validation.
///
/// It has some thirty files because each annotation of a record's component is one.
@NullMarked
package dev.caisson.json;

import org.jspecify.annotations.NullMarked;
