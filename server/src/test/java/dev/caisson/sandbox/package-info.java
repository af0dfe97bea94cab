@NullMarked
package dev.caisson.sandbox;

import org.jspecify.annotations.NullMarked;
