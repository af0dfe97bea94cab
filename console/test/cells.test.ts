import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../src/api/client";
import { Server } from "../src/api/server";
import { CellBook } from "../src/cells/book";
import { isKeptBook, NEW_BOOK } from "../src/cells/kept";
import type { Connection } from "../src/shell/connection";
import { vault } from "../src/shell/vault";
import { browser, Fake } from "./fake";

let fake: Fake | undefined;
/** What was asked for, in order. */
let asked: Record<string, unknown>[] = [];

beforeEach(browser);
afterEach(() => fake?.stop());

function lines(response: ServerResponse, id: string, status: string, state: string) {
  const result = { status, exit_code: status === "success" ? 0 : 1, session: { state }, files: [] };
  response.write(`${JSON.stringify({ event: "started", trace_id: "t", run_id: id, language: "python" })}\n`);
  response.write(`${JSON.stringify({ event: "stdout", text: `of ${id}\n`, offset: 0 })}\n`);
  response.end(`${JSON.stringify({ event: "result", result })}\n`);
}

/** A server in which a program fails that says so. */
async function book(): Promise<CellBook> {
  asked = [];
  fake = await Fake.start((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const known = /^\/v1\/executions\/(r\d)/.exec(request.url ?? "");
      if (request.url === "/v1/sandbox/execute") {
        asked.push(JSON.parse(body));
        const fails = body.includes("fail");
        const state = asked.length === 1 ? "new" : "kept";
        lines(response, `r${asked.length}`, fails ? "failed" : "success", state);
      } else if (known?.[1] === "r9") {
        response.writeHead(404).end('{"error":"not_found","message":"gone"}');
      } else if (request.url?.includes("/output")) {
        lines(response, known?.[1] ?? "", "success", "kept");
      } else if (request.url === "/v1/sessions") {
        response.end('{"sessions":[{"id":"s1","thread_id":"cells","language":"python"}]}');
      } else {
        response.end('{"status":"success","thread_id":"cells","created_at":"2026-01-01T00:00:00Z"}');
      }
    });
  });
  const connection = { waitForReturn: async () => undefined } as unknown as Connection;
  return new CellBook(new Server(new Client("k", undefined, fake.base)), connection);
}

const printed = (made: CellBook) =>
  made.cells.value.map(({ watch }) => watch.output.head.map(({ spans }) => spans[0]?.text).join());
const numbers = (made: CellBook) => made.cells.value.map(({ number }) => number.value);

async function written(...codes: string[]): Promise<CellBook> {
  const made = await book();
  for (const code of codes) made.add(undefined, code);
  await made.remove(made.cells.value[0] as never);
  return made;
}

describe("cells", () => {
  test("run in one session, one after the other, and ask for their last expressions", async () => {
    const made = await written("a = 1", "a");
    await made.runAll();
    expect(asked).toMatchObject([
      { code: "a = 1", thread_id: "cells", session: true, display: true, language: "python" },
      { code: "a" },
    ]);
    expect(printed(made)).toEqual(["of r1", "of r2"]);
    expect(numbers(made)).toEqual([1, 2]);
  });

  test("behind one that fails do not run", async () => {
    const made = await written("fail", "never");
    await made.runAll();
    expect(asked).toHaveLength(1);
    expect(made.cells.value[1]?.busy).toBe(false);
    expect(made.cells.value[1]?.watch.view.value.phase).toBe("idle");
  });

  test("asked for while others run wait for them", async () => {
    const made = await written("one", "two");
    const [one, two] = made.cells.value;
    const both = [made.run(one as never), made.run(two as never)];
    expect(two?.waits.value).toBe(true);
    await Promise.all(both);
    expect(asked.map(({ code }) => code)).toEqual(["one", "two"]);
  });

  test("that wait can be withdrawn", async () => {
    const made = await written("one", "two");
    const [one, two] = made.cells.value;
    const both = made.run(one as never, two as never);
    await made.stop(two as never);
    await both;
    expect(asked.map(({ code }) => code)).toEqual(["one"]);
  });

  test("are there again after a reload, with what they did", async () => {
    const made = await written("one", "two", "gone");
    await made.run(made.cells.value[0] as never);
    made.settle({ thread: "other" });
    const kept = vault.cells() as { cells: { run?: string }[] };
    kept.cells[2] = { ...kept.cells[2], run: "r9" };
    vault.keepCells(kept);
    fake?.stop();
    const again = await book();
    await again.resume();
    expect(again.cells.value.map(({ code }) => code.value)).toEqual(["one", "two", "gone"]);
    expect(again.place.value.thread).toBe("other");
    expect(printed(again)).toEqual(["of r1", "", ""]);
    expect(numbers(again)).toEqual([1, undefined, undefined]);
    expect(again.cells.value[2]?.watch.view.value.phase).toBe("idle");
  });

  test("are told that their session was ended", async () => {
    const made = await written("one");
    await made.restart();
    expect(fake?.seen).toContain("DELETE /v1/sessions/s1");
    expect(made.note.value).toContain("ended");
  });

  test("always leave one to write in", async () => {
    const made = await written("one");
    await made.remove(made.cells.value[0] as never);
    expect(made.cells.value.map(({ code }) => code.value)).toEqual([""]);
    expect(made.next(made.cells.value[0] as never)).toBe(made.cells.value[1]);
  });

  test("kept in another shape are left alone", () => {
    expect(isKeptBook(NEW_BOOK)).toBe(true);
    for (const wrong of [undefined, null, {}, { ...NEW_BOOK, cells: [] }, { ...NEW_BOOK, cells: [null] }]) {
      expect(isKeptBook(wrong)).toBe(false);
    }
  });
});
