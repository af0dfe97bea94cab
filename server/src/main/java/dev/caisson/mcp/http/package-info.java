/// Chamber of `mcp`: Streamable HTTP, its headers and its answers.
@NullMarked
package dev.caisson.mcp.http;

import org.jspecify.annotations.NullMarked;
