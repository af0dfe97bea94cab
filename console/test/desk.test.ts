import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../src/api/client";
import { Server } from "../src/api/server";
import { RunDesk } from "../src/run/desk";
import type { Connection } from "../src/shell/connection";
import { vault } from "../src/shell/vault";
import { browser, Fake } from "./fake";

const STARTED =
  '{"event":"started","trace_id":"t","run_id":"r1","language":"python","thread_id":"console"}\n';
const RESULT =
  '{"event":"result","result":{"status":"success","exit_code":0,"start":"warm","result":{"ok":true,"data":{"answer":42}},"files":[{"name":"a.png","path":"a.png","size":3,"mime_type":"image/png","changed":true},{"name":"old","path":"old","size":1,"changed":false}]}}\n';

let fake: Fake | undefined;
/** Under which each run was asked for. */
let orders: unknown[] = [];

beforeEach(browser);
afterEach(() => fake?.stop());

/** A server whose answers to those who run or watch are given one after the other. */
async function desk(...told: ((response: ServerResponse) => void)[]): Promise<RunDesk> {
  const answers = [...told];
  orders = [];
  fake = await Fake.start((request, response) => {
    if (request.url === "/v1/sandbox/execute") {
      orders.push(request.headers["idempotency-key"]);
    }
    if (request.url === "/v1/sandbox/execute" || request.url?.startsWith("/v1/executions/r1/output")) {
      answers.shift()?.(response);
    } else {
      response.end(
        '{"run_id":"r1","status":"timeout","language":"python","thread_id":"console","created_at":"2026-01-01T00:00:00Z","stdout":"","stderr":""}',
      );
    }
  });
  const connection = { waitForReturn: async () => undefined } as unknown as Connection;
  return new RunDesk(new Server(new Client("k", undefined, fake.base)), connection);
}

const out = (text: string, offset: number) => `${JSON.stringify({ event: "stdout", text, offset })}\n`;
const text = (run: RunDesk) => run.output.head.map(({ spans }) => spans.map((span) => span.text).join(""));

describe("the desk where programs are run", () => {
  test("follows a run to its end and keeps what it made", async () => {
    const run = await desk((response) =>
      response.end(`${STARTED}${out("one\n", 0)}{"event":"beat"}\n${RESULT}`),
    );
    await run.run();
    expect(run.view.value).toMatchObject({
      phase: "ended",
      thread: "console",
      result: { start: "warm", result: { data: { answer: 42 } } },
    });
    expect(run.view.value.files).toEqual([
      { name: "a.png", path: "a.png", size: 3, media_type: "image/png" },
    ]);
    expect(text(run)).toEqual(["one"]);
    expect(vault.run()).toBeUndefined();
  });

  test("goes on where it stopped when the connection breaks", async () => {
    const run = await desk(
      (response) => {
        response.write(STARTED + out("one\ntw", 0));
        setTimeout(() => response.destroy(), 30);
      },
      (response) => response.end(STARTED + out("o\n", 6) + RESULT),
    );
    await run.run();
    expect(text(run)).toEqual(["one", "two"]);
    expect(fake?.seen).toContain("GET /v1/executions/r1/output?stdout_offset=6");
    expect(run.view.value.phase).toBe("ended");
  });

  test("takes the ending from the record when the stream has none", async () => {
    const run = await desk((response) => response.end(STARTED));
    await run.run();
    expect(run.view.value).toMatchObject({ phase: "ended", result: { status: "timeout" } });
  });

  test("takes up the run of before a reload", async () => {
    const run = await desk((response) => response.end(STARTED + out("still here\n", 0) + RESULT));
    vault.keepRun("r1");
    await run.resume();
    expect(run.view.value).toMatchObject({ phase: "ended", attached: true, thread: "console" });
    expect(text(run)).toEqual(["still here"]);
    expect(vault.run()).toBeUndefined();
  });

  test("says why when the server ends the stream with an error", async () => {
    const run = await desk((response) =>
      response.end(`${STARTED}{"event":"error","error":"internal","message":"Fault 7."}\n`),
    );
    await run.run();
    expect(run.view.value).toMatchObject({ phase: "refused", problem: "Fault 7." });
  });

  test("stops a run once, however often it is asked", async () => {
    let watching: ServerResponse | undefined;
    const run = await desk((response) => {
      watching = response;
      response.write(STARTED);
    });
    const running = run.run();
    await expect.poll(() => run.view.value.phase).toBe("running");
    await Promise.all([run.cancel(), run.cancel()]);
    watching?.end('{"event":"result","result":{"status":"cancelled"}}\n');
    await running;
    expect(fake?.seen.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
    expect(run.view.value.result?.status).toBe("cancelled");
  });

  test("a run that was stopped before it began is stopped when it has", async () => {
    let begun: ServerResponse | undefined;
    const run = await desk((response) => {
      begun = response;
    });
    const running = run.run();
    await expect.poll(() => begun).toBeDefined();
    await run.cancel();
    expect(fake?.seen).not.toContain("DELETE /v1/executions/r1");
    begun?.write(STARTED);
    await expect.poll(() => fake?.seen).toContain("DELETE /v1/executions/r1");
    begun?.end('{"event":"result","result":{"status":"cancelled"}}\n');
    await running;
    expect(run.view.value.result?.status).toBe("cancelled");
  });

  test("asks again under the same order when the answer never came", async () => {
    const run = await desk(
      (response) => response.destroy(),
      (response) => response.end(STARTED + RESULT),
    );
    await run.run();
    expect(run.view.value.phase).toBe("ended");
    expect(orders).toHaveLength(2);
    expect(orders[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(orders[1]).toBe(orders[0]);
  });

  test("says so when the answer ends before the program began", async () => {
    const run = await desk((response) => response.end());
    await run.run();
    expect(run.view.value).toMatchObject({ phase: "refused", problem: expect.stringContaining("ended") });
  });

  test("keeps the draft, and nothing that is not one", async () => {
    const run = await desk();
    run.edit({ code: "kept", thread: "t" });
    expect((await desk()).draft.value).toMatchObject({ code: "kept", thread: "t" });
    vault.keepDraft({ code: 7 });
    expect((await desk()).draft.value.language).toBe("python");
  });

  test("an empty program is not run", async () => {
    const run = await desk();
    run.edit({ code: "  \n" });
    await run.run();
    expect(fake?.seen).toEqual([]);
  });
});
