/// How fast and how small the protocol layer is, beside the MCP Java SDK's own server.
///
/// Every server is a process of its own with the same heap; the load comes from a third process;
/// the rounds are interleaved, so that whatever else the machine does hits all of them alike.
@NullMarked
package dev.caisson.acceptance.bench;

import org.jspecify.annotations.NullMarked;
