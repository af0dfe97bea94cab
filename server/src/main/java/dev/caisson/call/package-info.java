/// Ground: the words every room shares: who asks, what for, and why something is refused.
///
/// It has some forty files because each word is a small type of its own.
@NullMarked
package dev.caisson.call;

import org.jspecify.annotations.NullMarked;
