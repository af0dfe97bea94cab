/// Black box: starts the product as a user would and speaks the wire.
@NullMarked
package dev.caisson.acceptance;

import org.jspecify.annotations.NullMarked;
