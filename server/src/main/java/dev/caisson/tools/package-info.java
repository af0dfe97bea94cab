/// One file per tool. Never names a protocol.
@NullMarked
package dev.caisson.tools;

import org.jspecify.annotations.NullMarked;
