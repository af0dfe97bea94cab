import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { Client, type Witness } from "../src/api/client";
import { ApiError, Unreachable } from "../src/api/errors";
import { listTools } from "../src/api/mcp";
import { query } from "../src/api/query";
import { Server } from "../src/api/server";
import { Fake } from "./fake";

let fake: Fake | undefined;

afterEach(() => fake?.stop());

async function answering(act: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  fake = await Fake.start(act);
  return fake.base;
}

function witness() {
  const seen: string[] = [];
  const told: Witness = {
    reached: () => seen.push("reached"),
    missed: () => seen.push("missed"),
    refused: (error) => seen.push(`refused ${error.status}`),
  };
  return { seen, told };
}

const collect = async <T>(values: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
};

describe("asking the server", () => {
  test("a thread is asked for by its key, which can stand in a path", async () => {
    const base = await answering((_, response) =>
      response.end(JSON.stringify({ threads: [{ id: "a/..", key: "0f" }] })),
    );
    const server = new Server(new Client("k", undefined, base));
    await server.thread("plain");
    await server.threads();
    await server.thread("a/..");
    await server.archive("a/..");
    expect(fake?.seen.filter((each) => !each.includes("?limit"))).toEqual([
      "GET /v1/threads/plain",
      "GET /v1/threads/0f",
      "GET /v1/threads/0f/archive?format=zip",
    ]);
  });

  test("a member without a value is not there, but what a program handed over is as it was", async () => {
    const answer = {
      exit_code: null,
      files: [{ path: "a", url: null }],
      result: { data: { a: null, b: [null] }, data_note: null },
      metadata: { ticket: null },
    };
    const known = {
      files: [{ path: "a" }],
      result: { data: { a: null, b: [null] } },
      metadata: { ticket: null },
    };
    const base = await answering((_, response) => response.end(JSON.stringify(answer)));
    const client = new Client("k", undefined, base);
    expect(await client.json("/v1/executions/x")).toStrictEqual(known);
    expect(await collect(client.lines("/v1/executions/x/output"))).toStrictEqual([known]);
  });

  test("what was given to a tool and what it said is as it was", async () => {
    const said = { calls: [{ error: null, arguments: { a: null }, result: [null] }], next_cursor: null };
    const base = await answering((_, response) => response.end(JSON.stringify(said)));
    const server = new Server(new Client("k", undefined, base));
    expect(await server.calls("exe 1", "200")).toStrictEqual({
      calls: [{ arguments: { a: null }, result: [null] }],
    });
    expect(fake?.seen).toEqual(["GET /v1/executions/exe%201/calls?limit=200&cursor=200"]);
  });

  test("the key goes along, and nothing else that identifies", async () => {
    let seen: IncomingMessage["headers"] = {};
    const base = await answering((request, response) => {
      seen = request.headers;
      response.end("{}");
    });
    await new Client("secret", undefined, base).json("/v1/whoami");
    expect(seen.authorization).toBe("Bearer secret");
    expect(seen.cookie).toBeUndefined();
  });

  test("a refusal tells its code, its sentence and how long to wait", async () => {
    const base = await answering((_, response) => {
      response.writeHead(429, { "Retry-After": "7" });
      response.end('{"error":"rate_limited","message":"Slow down."}');
    });
    const { seen, told } = witness();
    const error = await new Client("k", told, base).json("/x").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      code: "rate_limited",
      message: "Slow down.",
      retryAfterSeconds: 7,
    });
    expect(seen).toEqual(["reached", "refused 429"]);
  });

  test("an answer that is not ours is still understood", async () => {
    const base = await answering((_, response) => {
      response.writeHead(502);
      response.end("<html>Bad gateway");
    });
    await expect(new Client("k", undefined, base).json("/x")).rejects.toMatchObject({ status: 502 });
  });

  test("a server that is not there is noticed", async () => {
    const base = await answering((_, response) => response.end());
    fake?.stop();
    const { seen, told } = witness();
    await expect(new Client("k", told, base).json("/x")).rejects.toBeInstanceOf(Unreachable);
    expect(seen).toEqual(["missed"]);
  });

  test("lines are read as they come, whatever the pieces", async () => {
    const base = await answering((_, response) => {
      response.write('{"event":"stdout","te');
      setTimeout(() => response.write('xt":"ä"}\n\n{"ev'), 20);
      setTimeout(() => response.end('ent":"beat"}'), 40);
    });
    const events = await collect(new Client("k", undefined, base).lines("/x"));
    expect(events).toEqual([{ event: "stdout", text: "ä" }, { event: "beat" }]);
  });

  test("a stream that breaks off is a lost connection", async () => {
    const base = await answering((_, response) => {
      response.write('{"a":1}\n');
      setTimeout(() => response.destroy(), 20);
    });
    const { seen, told } = witness();
    await expect(collect(new Client("k", told, base).lines("/x"))).rejects.toBeInstanceOf(Unreachable);
    expect(seen).toContain("missed");
  });

  test("a run is started to go on without us, and followed from where we stopped", async () => {
    const seen: string[] = [];
    const base = await answering((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers["idempotency-key"] ?? ""}`.trim());
      response.end("{}");
    });
    const server = new Server(new Client("k", undefined, base));
    const { signal } = new AbortController();
    await collect(server.execute({ code: "1", language: "python" }, "order7", signal));
    await collect(server.watch("run 1", { stdout: 5, stderr: 0 }, signal));
    expect(seen).toEqual([
      "POST /v1/sandbox/execute order7",
      "GET /v1/executions/run%201/output?stdout_offset=5",
    ]);
  });

  test("a query has what is set", () => {
    expect(query({ a: "x y", b: undefined, c: "", d: 0, e: false, f: true })).toBe("?a=x%20y&d=0&f=true");
    expect(query({})).toBe("");
  });

  test.each([
    ["as JSON", "application/json", '{"result":{"tools":[{"name":"t"}]}}'],
    ["as an event", "text/event-stream", 'event: message\ndata: {"result":{"tools":[{"name":"t"}]}}\n\n'],
  ])("tools are listed, answered %s", async (_, type, body) => {
    const base = await answering((__, response) => {
      response.writeHead(200, { "Content-Type": type });
      response.end(body);
    });
    expect(await listTools(new Client("k", undefined, base))).toEqual([{ name: "t" }]);
  });
});
