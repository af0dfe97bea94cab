/// The Model Context Protocol: revisions, envelope, methods, streams, stdio.
@NullMarked
package dev.caisson.mcp;

import org.jspecify.annotations.NullMarked;
