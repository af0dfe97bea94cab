/// Runs: a program goes in, an outcome comes out. Confinement is one pure function.
@NullMarked
package dev.caisson.sandbox;

import org.jspecify.annotations.NullMarked;
