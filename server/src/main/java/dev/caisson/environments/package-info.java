/// Packages for programs in sandboxes that have no network: baked once from a lock, kept under
/// their hash, and shown read-only.
@NullMarked
package dev.caisson.environments;

import org.jspecify.annotations.NullMarked;
