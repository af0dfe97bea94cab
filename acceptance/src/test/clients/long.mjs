// Runs a program that takes longer than a request may, with a TypeScript SDK and its default timeout: what is still
// running is awaited with execution_wait.
// usage: long.mjs streamable|sse|legacy|modern URL KEY SECONDS
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as StreamableV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [kind, address, key, seconds] = process.argv.slice(2);
const init = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };

function connection() {
  const url = new URL(address);
  switch (kind) {
    case "streamable":
      return [new ClientV1({ name: "long", version: "1" }), new StreamableV1(url, init)];
    case "sse":
      return [new ClientV1({ name: "long", version: "1" }), new SSEClientTransport(new URL("/sse", url), init)];
    default: {
      const mode = kind === "modern" ? { pin: "2026-07-28" } : "legacy";
      return [
        new Client({ name: "long", version: "1" }, { versionNegotiation: { mode } }),
        new StreamableHTTPClientTransport(url, init),
      ];
    }
  }
}

const [client, transport] = connection();
await client.connect(transport);
await client.listTools();
const began = Date.now();
const code = `import time
print("begun", flush=True)
time.sleep(${seconds})
print("finished")`;
let calls = 1;
let report = (
  await client.callTool({
    name: "sandbox_execute",
    arguments: { language: "python", code, timeout: Number(seconds) + 60 },
  })
).structuredContent;
const first = report;
while (report.status === "running" && calls < 100) {
  calls += 1;
  report = (
    await client.callTool({ name: "execution_wait", arguments: { execution_id: report.execution_id } })
  ).structuredContent;
}
console.log(
  JSON.stringify({ calls, first: first.stdout, status: report.status, stdout: report.stdout, ms: Date.now() - began }),
);
await client.close();
