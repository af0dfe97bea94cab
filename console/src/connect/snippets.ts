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
