/// Ways out of this server: which addresses may be reached, the outgoing HTTP client, the tunnel
/// through which a sandbox reaches named hosts, and the proxy that judges what programs ask for.
@NullMarked
package dev.caisson.egress;

import org.jspecify.annotations.NullMarked;
