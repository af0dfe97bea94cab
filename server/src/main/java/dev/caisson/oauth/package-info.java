/// Services: OAuth as a client speaks it, and where the keys of an authorization server are.
@NullMarked
package dev.caisson.oauth;

import org.jspecify.annotations.NullMarked;
