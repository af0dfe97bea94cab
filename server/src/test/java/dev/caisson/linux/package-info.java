@NullMarked
package dev.caisson.linux;

import org.jspecify.annotations.NullMarked;
