/// Chamber of `mcp`: methods, calls, tasks and subscriptions, the same in every era.
///
/// It has forty files because each thing that the protocol writes or reads is one.
@NullMarked
package dev.caisson.mcp.server;

import org.jspecify.annotations.NullMarked;
