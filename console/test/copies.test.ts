import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Execution } from "../src/api/types";
import { recipes } from "../src/connect/snippets";
import { asCurl, asMcp, asPython, pythonString, shellWord } from "../src/history/copies";

const NASTY = `print('it''s', "x", '$(touch /tmp/x)', \`id\`, "\\n")\n# \u2028 🎉 </script>`;
const execution = { language: "python", code: NASTY, thread_id: "t 1" } as Execution;

describe("what is copied works where it is pasted", () => {
  test("a shell takes the text as one word and runs nothing in it", () => {
    const out = execFileSync("sh", ["-c", `printf %s ${shellWord(NASTY)}`], { encoding: "utf8" });
    expect(out).toBe(NASTY);
  });

  test("curl is given the very arguments", () => {
    const command = asCurl("http://h:1", execution);
    const body = execFileSync(
      "sh",
      ["-c", `curl() { for last; do :; done; printf %s "$last"; }; ${command}`],
      {
        encoding: "utf8",
        env: { ...process.env, CAISSON_KEY: "k" },
      },
    );
    expect(JSON.parse(body)).toEqual({ language: "python", code: NASTY, thread_id: "t 1" });
  });

  test("Python reads the same text", () => {
    const out = execFileSync("python3", [
      "-c",
      `import sys; sys.stdout.buffer.write(${pythonString(NASTY)}.encode("utf-16","surrogatepass").decode("utf-16").encode())`,
    ]);
    expect(out.toString("utf8")).toBe(NASTY);
  });

  test("the Python program is one", () => {
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
      input: asPython("http://h:1", execution),
    });
  });

  test("the MCP call is JSON with the arguments", () => {
    const call = JSON.parse(asMcp(execution));
    expect(call.params).toEqual({
      name: "sandbox_execute",
      arguments: { language: "python", code: NASTY, thread_id: "t 1" },
    });
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
      "VS Code",
      "Codex",
      "curl",
    ]);
    for (const { text } of all) {
      expect(text).toContain(url);
      expect(text).toContain("Bearer SECRET");
    }
  });

  test("without keys none is named", () => {
    for (const { text } of recipes(url, undefined)) {
      expect(text).not.toMatch(/Bearer|Authorization|undefined/);
    }
  });

  test("those that are JSON are JSON", () => {
    for (const { client, text } of recipes(url, "SECRET")) {
      if (["Claude Desktop", "Cursor", "VS Code"].includes(client)) {
        expect(JSON.parse(text)).toBeTypeOf("object");
      }
    }
  });
});
