/// Words of the protocol: the JSON-RPC envelope, ids, revisions and framing, for servers and
/// clients alike.
@NullMarked
package dev.caisson.rpc;

import org.jspecify.annotations.NullMarked;
