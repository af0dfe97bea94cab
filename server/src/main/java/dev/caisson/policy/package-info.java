/// Room `policy`: which calls may be made. It judges a call by its caller, its tool and its
/// arguments, and does nothing itself.
@NullMarked
package dev.caisson.policy;

import org.jspecify.annotations.NullMarked;
