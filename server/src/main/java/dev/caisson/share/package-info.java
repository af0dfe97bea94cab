/// Ground: how callers divide what is finite, so that none takes it from the others.
@NullMarked
package dev.caisson.share;

import org.jspecify.annotations.NullMarked;
