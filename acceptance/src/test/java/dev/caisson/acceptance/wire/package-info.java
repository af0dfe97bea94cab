/// The wire without a library in between, so that a test can also send what no library would.
@NullMarked
package dev.caisson.acceptance.wire;

import org.jspecify.annotations.NullMarked;
