import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Execution } from "../src/api/types";
import { recipes } from "../src/connect/snippets";
import { argumentsOf, asCurl, asMcp, asPython, pythonValue, shellWord } from "../src/history/copies";

const NASTY = `print('it''s', "x", '$(touch /tmp/x)', \`id\`, "\\n")\n# \u2028 🎉 </script>`;
const again = { language: "python", code: NASTY, thread_id: "t 1" };
const place = { base: "http://h:1", auth: true };

describe("what is copied works where it is pasted", () => {
  test("a shell takes the text as one word and runs nothing in it", () => {
    const out = execFileSync("sh", ["-c", `printf %s ${shellWord(NASTY)}`], { encoding: "utf8" });
    expect(out).toBe(NASTY);
  });

  test("curl is given the very arguments", () => {
    const command = asCurl(place, again);
    const body = execFileSync(
      "sh",
      ["-c", `curl() { for last; do :; done; printf %s "$last"; }; ${command}`],
      {
        encoding: "utf8",
        env: { ...process.env, CAISSON_KEY: "k" },
      },
    );
    expect(JSON.parse(body)).toEqual(again);
  });

  test("Python reads the same text", () => {
    const out = execFileSync("python3", [
      "-c",
      `import sys; sys.stdout.buffer.write(${pythonValue(NASTY)}.encode("utf-16","surrogatepass").decode("utf-16").encode())`,
    ]);
    expect(out.toString("utf8")).toBe(NASTY);
  });

  test.each([true, false])("the Python program is one (keys: %s)", (auth) => {
    const program = asPython({ ...place, auth }, { ...again, timeout: 5, env_vars: { A: "" } });
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: program });
    expect(program.includes("CAISSON_KEY")).toBe(auth);
    expect(asCurl({ ...place, auth }, again).includes("CAISSON_KEY")).toBe(auth);
  });

  test("whoever has no key at hand is told what to do", () => {
    const pasted = (program: string, text: string) => {
      const env = { PATH: process.env.PATH ?? "" };
      return spawnSync(program, ["-c", text], { encoding: "utf8", env }).stderr;
    };
    expect(pasted("sh", asCurl(place, again))).toContain("put your API key into CAISSON_KEY");
    expect(pasted("python3", asPython(place, again))).toContain("put your API key into CAISSON_KEY");
  });

  test("an execution is repeated with what it was given, as far as that is known", () => {
    const execution = { ...again, limits: { timeout_ms: 5000 }, env_names: ["A"] } as unknown as Execution;
    expect(argumentsOf(execution, 30)).toEqual({ ...again, timeout: 5, env_vars: { A: "" } });
    expect(argumentsOf({ ...execution, env_names: [] }, 5)).toEqual(again);
  });

  test("the MCP call is JSON with the arguments", () => {
    const call = JSON.parse(asMcp(again));
    expect(call.params).toEqual({ name: "sandbox_execute", arguments: again });
  });
});

describe("recipes for clients", () => {
  const url = "http://127.0.0.1:8080/mcp";

  test("there is one for each client, with the address and the key", () => {
    const all = recipes(url, "SECRET");
    expect(all.map(({ client }) => client)).toEqual([
      "Claude Code",
      "Claude Desktop",
      "Cursor",
      "Windsurf",
      "VS Code",
      "Codex",
      "Gemini CLI",
      "Zed",
      "opencode",
      "Python SDK",
      "TypeScript SDK",
      "stdio",
      "curl",
    ]);
    for (const { text } of all.filter(({ client }) => client !== "stdio")) {
      expect(text).toContain(url);
      expect(text).toContain("Bearer SECRET");
    }
  });

  test("without keys none is named", () => {
    for (const { text } of recipes(url, undefined)) {
      expect(text).not.toMatch(/Bearer|Authorization|undefined/);
    }
  });

  test("each client finds the address where it looks for it", () => {
    const read = (name: string) =>
      JSON.parse(recipes(url, "SECRET").find(({ client }) => client === name)?.text ?? "");
    const headers = { Authorization: "Bearer SECRET" };
    expect(read("Windsurf")).toEqual({ mcpServers: { caisson: { serverUrl: url, headers } } });
    expect(read("Gemini CLI")).toEqual({ mcpServers: { caisson: { httpUrl: url, headers } } });
    expect(read("Zed")).toEqual({ context_servers: { caisson: { url, headers } } });
    expect(read("opencode")).toEqual({ mcp: { caisson: { type: "remote", url, enabled: true, headers } } });
    expect(read("stdio").mcpServers.caisson.args).toEqual(["stdio"]);
    const { command, args, env } = read("Claude Desktop").mcpServers.caisson;
    expect([command, ...args]).toEqual([
      "npx",
      "-y",
      "mcp-remote",
      url,
      "--allow-http",
      "--header",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the bridge puts the variable in, not we.
      "Authorization:${AUTHORIZATION}",
    ]);
    expect(env).toEqual({ AUTHORIZATION: "Bearer SECRET" });
    expect(
      recipes("https://h/mcp", undefined)
        .map(({ text }) => text)
        .join(),
    ).not.toContain("--allow-http");
  });

  test("the README says the same", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const blocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json ?? ""));
    for (const { client, text } of recipes(url, "YOUR_KEY")) {
      if (["Claude Desktop", "Cursor", "Windsurf", "VS Code"].includes(client)) {
        expect(blocks, client).toContainEqual(JSON.parse(text));
      }
    }
  });

  test("those that are JSON are JSON", () => {
    for (const { client, text } of recipes(url, "SECRET")) {
      if (["Claude Desktop", "Cursor", "Windsurf", "VS Code"].includes(client)) {
        expect(JSON.parse(text)).toBeTypeOf("object");
      }
    }
  });
});
