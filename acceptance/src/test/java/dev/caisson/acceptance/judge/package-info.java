/// Outside judges: the official conformance suite and real clients, run as programs of their own.
@NullMarked
package dev.caisson.acceptance.judge;

import org.jspecify.annotations.NullMarked;
