/** What each client wants to be told, for one address and one key. */
export interface Recipe {
  client: string;
  /** Where it goes. */
  where: string;
  text: string;
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

export function recipes(url: string, key: string | undefined): Recipe[] {
  const bearer = key === undefined ? undefined : `Bearer ${key}`;
  const headers = bearer === undefined ? {} : { headers: { Authorization: bearer } };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the bridge puts the variable in, not we.
  const remote = bearer === undefined ? [] : ["--header", "Authorization:${AUTHORIZATION}"];
  const plainHttp = url.startsWith("http:") ? ["--allow-http"] : [];
  return [
    {
      client: "Claude Code",
      where: "In a terminal",
      text: `claude mcp add --transport http caisson ${url}${bearer === undefined ? "" : ` --header "Authorization: ${bearer}"`}`,
    },
    {
      client: "Claude Desktop",
      where: "claude_desktop_config.json (a small bridge from npm carries it over HTTP)",
      text: pretty({
        mcpServers: {
          caisson: {
            command: "npx",
            args: ["-y", "mcp-remote", url, ...plainHttp, ...remote],
            ...(bearer === undefined ? {} : { env: { AUTHORIZATION: bearer } }),
          },
        },
      }),
    },
    {
      client: "Cursor",
      where: "~/.cursor/mcp.json",
      text: pretty({ mcpServers: { caisson: { url, ...headers } } }),
    },
    {
      client: "Windsurf",
      where: "~/.codeium/windsurf/mcp_config.json",
      text: pretty({ mcpServers: { caisson: { serverUrl: url, ...headers } } }),
    },
    {
      client: "VS Code",
      where: ".vscode/mcp.json",
      text: pretty({ servers: { caisson: { type: "http", url, ...headers } } }),
    },
    {
      client: "Codex",
      where: "~/.codex/config.toml",
      text: [
        "[mcp_servers.caisson]",
        `url = ${JSON.stringify(url)}`,
        ...(bearer === undefined ? [] : [`http_headers = { Authorization = ${JSON.stringify(bearer)} }`]),
      ].join("\n"),
    },
    {
      client: "Gemini CLI",
      where: "~/.gemini/settings.json",
      text: pretty({ mcpServers: { caisson: { httpUrl: url, ...headers } } }),
    },
    {
      client: "Zed",
      where: "settings.json (command palette: zed: open settings file)",
      text: pretty({ context_servers: { caisson: { url, ...headers } } }),
    },
    {
      client: "opencode",
      where: "opencode.json",
      text: pretty({ mcp: { caisson: { type: "remote", url, enabled: true, ...headers } } }),
    },
    { client: "Python SDK", where: "A program with the package mcp", text: pythonProgram(url, bearer) },
    {
      client: "TypeScript SDK",
      where: "A program with the package @modelcontextprotocol/sdk",
      text: typescriptProgram(url, bearer),
    },
    {
      client: "stdio",
      where:
        "Any client on the machine of the server that starts it as a program, without a key. It needs the rights that caisson doctor names.",
      text: pretty({ mcpServers: { caisson: { command: "/path/to/caisson", args: ["stdio"] } } }),
    },
    {
      client: "curl",
      where: "In a terminal",
      text: [
        `curl ${url} \\`,
        ...(bearer === undefined ? [] : [`  -H 'Authorization: ${bearer}' \\`]),
        `  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join("\n"),
    },
  ];
}

const CALL = { language: "python", code: "print(6 * 7)" };

function pythonProgram(url: string, bearer: string | undefined): string {
  const headers = bearer === undefined ? "" : `, headers={"Authorization": ${JSON.stringify(bearer)}}`;
  return [
    "import asyncio",
    "from mcp import ClientSession",
    "from mcp.client.streamable_http import streamablehttp_client",
    "",
    "async def main():",
    `    async with streamablehttp_client(${JSON.stringify(url)}${headers}) as (read, write, _):`,
    "        async with ClientSession(read, write) as session:",
    "            await session.initialize()",
    `            print(await session.call_tool("sandbox_execute", ${JSON.stringify(CALL)}))`,
    "",
    "asyncio.run(main())",
  ].join("\n");
}

function typescriptProgram(url: string, bearer: string | undefined): string {
  const options =
    bearer === undefined
      ? ""
      : `, {\n  requestInit: { headers: { Authorization: ${JSON.stringify(bearer)} } },\n}`;
  return [
    `import { Client } from "@modelcontextprotocol/sdk/client/index.js";`,
    `import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";`,
    "",
    `const client = new Client({ name: "my-program", version: "1.0.0" });`,
    `const transport = new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)})${options});`,
    "await client.connect(transport);",
    `console.log(await client.callTool({ name: "sandbox_execute", arguments: ${JSON.stringify(CALL)} }));`,
    "await client.close();",
  ].join("\n");
}
