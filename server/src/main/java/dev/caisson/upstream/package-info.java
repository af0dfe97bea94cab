/// Upstreams: other MCP servers whose tools are called through the broker. What they say is a
/// stranger's word until an operator reviewed it.
@NullMarked
package dev.caisson.upstream;

import org.jspecify.annotations.NullMarked;
