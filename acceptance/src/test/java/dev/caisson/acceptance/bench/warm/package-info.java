/// `bench run`: what a program costs over HTTP when its sandbox was waiting for it, beside the same
/// program as a bare process.
///
/// One process asks and starts the bare ones, in turn, with pauses and without; the product is a
/// process of its own, as a user has it. Times go from the first byte of the request to the last of
/// the answer.
@NullMarked
package dev.caisson.acceptance.bench.warm;

import org.jspecify.annotations.NullMarked;
