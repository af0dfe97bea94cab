/// Chamber of `mcp`: sessions, streams and HTTP+SSE of the revisions up to 2025-11-25.
@NullMarked
package dev.caisson.mcp.legacy;

import org.jspecify.annotations.NullMarked;
