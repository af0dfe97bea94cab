// Lists the tools and calls one with the TypeScript SDK v2, in the era it is told.
// usage: v2.mjs ERA URL KEY | v2.mjs ERA --stdio COMMAND [ARGUMENT ...]
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [era, first, second, ...rest] = process.argv.slice(2);
const transport =
  first === "--stdio"
    ? new StdioClientTransport({ command: second, args: rest, stderr: "ignore" })
    : new StreamableHTTPClientTransport(new URL(first), {
        requestInit: { headers: { Authorization: `Bearer ${second}` } },
      });
const client = new Client(
  { name: "acceptance-v2", version: "1" },
  { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : era } },
);
await client.connect(transport);
const { tools } = await client.listTools();
const added = tools.some((tool) => tool.name === "test_add")
  ? await client.callTool({ name: "test_add", arguments: { a: 1, b: 2 } })
  : await client.callTool({ name: "sandbox_execute", arguments: { language: "python", code: "result = 1 + 2" } });
const sum = added.structuredContent.sum ?? added.structuredContent.result.data;
console.log(
  JSON.stringify({
    tools: tools.length,
    sum,
    revision: client.getNegotiatedProtocolVersion?.() ?? "",
  }),
);
await client.close();
