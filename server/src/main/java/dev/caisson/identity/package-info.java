/// Keys, what they may do, and the limit on failed attempts.
@NullMarked
package dev.caisson.identity;

import org.jspecify.annotations.NullMarked;
