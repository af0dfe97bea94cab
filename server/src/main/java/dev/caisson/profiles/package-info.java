/// Profiles: what the sandboxes of a key get, and how much of it. Kept in the configuration and in
/// the store; quotas are counted here.
@NullMarked
package dev.caisson.profiles;

import org.jspecify.annotations.NullMarked;
