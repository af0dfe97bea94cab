import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bodyOf, type Document, type Group, groups, isOpen, matching, replyOf } from "../src/docs/document";
import { asCurl, bodyExample, exampleOf } from "../src/docs/example";
import { members, typeOf } from "../src/docs/tree";

const real: Document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
const all = groups(real);
const entries = all.flatMap((group) => group.entries);
const find = (id: string) => {
  const entry = entries.find(({ operation }) => operation.operationId === id);
  if (entry === undefined) throw new Error(id);
  return entry;
};
const ids = (some: Group[]) =>
  some.flatMap((group) => group.entries.map(({ operation }) => operation.operationId));

describe("the document of the server", () => {
  test("every route is shown once, below its tag", () => {
    const operations = Object.values(real.paths).flatMap((methods) => Object.values(methods));
    expect(ids(all).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(entries.length).toBeGreaterThan(25);
    expect(all.map(({ name }) => name)).not.toContain("Other");
    expect(all.every(({ about }) => about !== "")).toBe(true);
    expect(find("execute")).toMatchObject({ method: "POST", path: "/v1/sandbox/execute" });
  });

  test("a search finds what has all its words", () => {
    expect(ids(matching(all, "thread archive"))).toEqual(["archiveThread"]);
    expect(ids(matching(all, "DELETE /v1/keys"))).toEqual(["revokeKey"]);
    expect(matching(all, "no such thing")).toEqual([]);
    expect(matching(all, " ")).toEqual(all);
  });

  test("every body and every answer has its members", () => {
    const body = members(real, bodyOf(find("execute").operation) ?? {});
    const code = body.find(({ name }) => name === "code");
    expect(code).toMatchObject({ type: "string", required: true, members: [] });
    expect(code?.limits.join()).toMatch(/^1 to [\d,]+ characters$/);
    expect(body.find(({ name }) => name === "env_vars")?.members.map(({ name }) => name)).toEqual(["…"]);
    const page = members(real, { $ref: "#/components/schemas/ThreadPage" });
    expect(page[0]).toMatchObject({ name: "threads", type: "object[]" });
    expect(page[0]?.members.map(({ name }) => name)).toContain("bytes_used");
    for (const { operation } of entries) {
      for (const reply of Object.values(operation.responses)) {
        expect(replyOf(real, reply).description, operation.operationId).toBeTruthy();
      }
    }
  });

  test("an example has what is required, and is taken for it", () => {
    expect(bodyExample(real, find("execute"))).toEqual({ language: "python", code: "print(6 * 7)" });
    expect(bodyExample(real, find("downloadFile"))).toEqual({
      source: "thread",
      id: "my-thread",
      path: "out/result.csv",
    });
    expect(bodyExample(real, find("whoAmI"))).toBeUndefined();
  });

  test.each(entries.map((entry) => [entry.operation.operationId, entry] as const))(
    "a shell takes the command of %s as one request",
    (_, entry) => {
      const command = asCurl(real, entry, "http://h:1");
      const script = `curl() { printf '%s\\n' "$@"; }; ${command}`;
      const env = { PATH: process.env.PATH ?? "", CAISSON_KEY: "k" };
      const words = execFileSync("sh", ["-c", script], { encoding: "utf8", env }).trimEnd().split("\n");
      expect(words.find((word) => word.startsWith("http://h:1/v1/"))).not.toMatch(/[{}]/);
      expect(words.includes("Authorization: Bearer k")).toBe(!isOpen(entry.operation));
      expect(words.includes("-X")).toBe(entry.method !== "GET");
      const body = bodyExample(real, entry);
      if (body !== undefined) expect(JSON.parse(words.at(-1) ?? "")).toEqual(body);
    },
  );
});

describe("any other document", () => {
  const endless: Document = {
    info: { title: "x", version: "1" },
    paths: {},
    components: {
      schemas: {
        Node: {
          type: "object",
          properties: { next: { $ref: "#/components/schemas/Node" } },
          required: ["next"],
        },
      },
    },
  };

  test("a schema that contains itself ends", () => {
    const node = { $ref: "#/components/schemas/Node" };
    let depth = 0;
    for (let at = members(endless, node); at.length > 0; at = at[0]?.members ?? []) depth++;
    expect(depth).toBe(8);
    expect(JSON.stringify(exampleOf(endless, node)).length).toBeLessThan(200);
  });

  test("what leads nowhere is anything", () => {
    expect(typeOf(endless, { $ref: "#/components/schemas/None" })).toBe("any");
    expect(typeOf(endless, { type: ["string", "null"] })).toBe("string or null");
  });
});
