/// The record of every call: append-only, hash-chained, checkable by anybody who can read it.
@NullMarked
package dev.caisson.ledger;

import org.jspecify.annotations.NullMarked;
