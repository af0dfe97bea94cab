/// Typed entities in spaces: classes with slots and inheritance, which callers define themselves,
/// and everything that follows from them. Every statement names the space it works in.
@NullMarked
package dev.caisson.model;

import org.jspecify.annotations.NullMarked;
