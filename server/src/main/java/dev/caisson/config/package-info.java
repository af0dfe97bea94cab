/// Ground: one record tree of settings, read once, every mistake reported.
@NullMarked
package dev.caisson.config;

import org.jspecify.annotations.NullMarked;
