@NullMarked
package dev.caisson.door;

import org.jspecify.annotations.NullMarked;
