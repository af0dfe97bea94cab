/// Connections to upstreams: how the protocol is spoken as a client, in both eras and over every
/// transport, and the life of the connection to one server.
@NullMarked
package dev.caisson.upstream.connection;

import org.jspecify.annotations.NullMarked;
