/// The product as its users have it: the real server in a process of its own, with a data directory
/// of its own, asked over the wire to run real programs.
@NullMarked
package dev.caisson.acceptance.product;

import org.jspecify.annotations.NullMarked;
