/// Chamber of `mcp`: MCP on standard input and output.
@NullMarked
package dev.caisson.mcp.stdio;

import org.jspecify.annotations.NullMarked;
