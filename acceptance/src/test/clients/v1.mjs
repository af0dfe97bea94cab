// Lists the tools and calls one with the TypeScript SDK v1.
// usage: v1.mjs URL KEY | v1.mjs --stdio COMMAND [ARGUMENT ...]
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [first, second, ...rest] = process.argv.slice(2);
const transport =
  first === "--stdio"
    ? new StdioClientTransport({ command: second, args: rest, stderr: "ignore" })
    : new StreamableHTTPClientTransport(new URL(first), {
        requestInit: { headers: { Authorization: `Bearer ${second}` } },
      });
const client = new Client({ name: "acceptance-v1", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const added = tools.some((tool) => tool.name === "test_add")
  ? await client.callTool({ name: "test_add", arguments: { a: 1, b: 2 } })
  : await client.callTool({ name: "sandbox_execute", arguments: { language: "python", code: "result = 1 + 2" } });
const sum = added.structuredContent.sum ?? added.structuredContent.result.data;
console.log(JSON.stringify({ tools: tools.length, sum }));
await client.close();
