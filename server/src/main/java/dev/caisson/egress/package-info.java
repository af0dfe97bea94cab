/// Ways out of this server: which addresses may be reached, the outgoing HTTP client, and the
/// tunnel through which a sandbox reaches named hosts and nothing else.
@NullMarked
package dev.caisson.egress;

import org.jspecify.annotations.NullMarked;
