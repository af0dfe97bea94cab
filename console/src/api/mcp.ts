import type { Client } from "./client";

/** The revision the check speaks; the server answers older ones just as well. */
export const REVISION = "2026-07-28";

export interface Tool {
  name: string;
  title?: string;
  description?: string;
}

/** Lists the tools as a client would, through the very address a client is given. */
export async function listTools(client: Client): Promise<Tool[]> {
  const response = await client.send("/mcp", {
    method: "POST",
    headers: {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": REVISION,
      "Mcp-Method": "tools/list",
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": REVISION,
          "io.modelcontextprotocol/clientInfo": { name: "caisson-console", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  });
  const answer = (await answerOf(response)) as { result?: { tools?: Tool[] }; error?: { message: string } };
  if (answer.result?.tools === undefined) {
    throw new Error(answer.error?.message ?? "The server did not answer with a list of tools.");
  }
  return answer.result.tools;
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
    return JSON.parse(text);
  }
  const data = text.split("\n").filter((line) => line.startsWith("data:"));
  return JSON.parse((data.at(-1) ?? "data:{}").slice("data:".length));
}
