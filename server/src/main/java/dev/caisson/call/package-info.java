/// Ground: the words every room shares: who asks, for how long, and why something is refused.
@NullMarked
package dev.caisson.call;

import org.jspecify.annotations.NullMarked;
