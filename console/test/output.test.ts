import { describe, expect, test } from "vitest";
import { OutputLog, type Row } from "../src/run/output";
import { plainRows } from "../src/run/plain";

const words = (rows: Row[]) => rows.map((row) => row.spans.map(({ text }) => text).join(""));
const SMALL = { rowLength: 10, headRows: 5, tailRows: 5 };

describe("output that is shown", () => {
  test("lines become rows, also when they come in pieces", () => {
    const log = new OutputLog();
    log.append("stdout", "one\ntw", 0);
    log.append("stdout", "o\n\nthree", 6);
    expect(words(log.head)).toEqual(["one", "two", "", "three"]);
    expect(log.rows).toBe(4);
  });

  test("the two streams are told apart and keep the order in which they came", () => {
    const log = new OutputLog();
    log.append("stdout", "out", 0);
    log.append("stderr", "err\n", 0);
    log.append("stdout", "more\n", 3);
    expect(log.head.map(({ stream }) => stream)).toEqual(["stdout", "stderr", "stdout"]);
    expect(words(log.shown("stderr").head)).toEqual(["err"]);
  });

  test("a carriage return starts the row again, and CRLF ends it", () => {
    expect(words(plainRows("stdout", "10 %\r20 %\r30 %\ndone\r\nend"))).toEqual(["30 %", "done", "end"]);
  });

  test("a long line is shown as several rows", () => {
    const log = new OutputLog(SMALL);
    log.append("stdout", "x".repeat(25), 0);
    expect(words(log.head).map((row) => row.length)).toEqual([10, 10, 5]);
  });

  test("offsets count bytes, so that reading can go on where it stopped", () => {
    const log = new OutputLog();
    log.append("stdout", "äöü", 0);
    expect(log.offsets).toEqual({ stdout: 6, stderr: 0 });
    log.append("stdout", "\ufffd", 6, 7);
    expect(log.offsets.stdout).toBe(7);
  });

  test("however much is written, the beginning and the end are here and the rest is counted", () => {
    const log = new OutputLog(SMALL);
    for (let line = 0; line < 1000; line++) {
      log.append("stdout", `${line}\n`, 0);
    }
    expect(words(log.head)).toEqual(["0", "1", "2", "3", "4"]);
    expect(words(log.tail).at(-1)).toBe("999");
    expect(log.tail.length).toBeLessThanOrEqual(10);
    expect(log.head.length + log.dropped + log.tail.length).toBe(1000);
  });

  test("a hundred thousand lines take well under a second", () => {
    const piece = `${"some output of a program, as long as usual".repeat(2)}\n`.repeat(1000);
    const log = new OutputLog();
    for (let i = 0; i < 100; i++) {
      log.append("stdout", piece, 0);
    }
    expect(log.rows).toBe(100_000);
    expect(log.dropped).toBeGreaterThan(40_000);
  });
});
