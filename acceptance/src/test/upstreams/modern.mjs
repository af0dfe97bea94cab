// A server of the newest era, over standard input and output or over HTTP.
// usage: modern.mjs stdio | modern.mjs http
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function make() {
  const server = new McpServer({ name: "modern", version: "1.0.0" });
  const text = z.object({ text: z.string() });
  const shout = { description: "Says a text in capitals.", inputSchema: text, outputSchema: text, annotations: { readOnlyHint: true } };
  server.registerTool("shout-text", shout, async ({ text }) => ({
    content: [{ type: "text", text: text.toUpperCase() }],
    structuredContent: { text: text.toUpperCase() },
  }));
  return server;
}

if (process.argv[2] === "stdio") {
  serveStdio(make, { legacy: "reject" });
} else {
  createServer(toNodeHandler(createMcpHandler(make, { legacy: "reject" }))).listen();
}
