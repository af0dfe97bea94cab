import { describe, expect, test } from "vitest";
import type { ToolCall } from "../src/api/types";
import { outcome } from "../src/calls/outcome";
import { timeline } from "../src/calls/timeline";

const BEGAN = Date.parse("2026-05-01T10:00:00Z");
const moment = (after: number) => new Date(BEGAN + after).toISOString();
const run = { created_at: moment(-30), completed_at: moment(1000), metrics: metrics(30) };

const alone = (took: number) => ({ created_at: moment(0), completed_at: moment(took), metrics: metrics(0) });

function metrics(queue_ms: number) {
  return { queue_ms, duration_ms: 1, cpu_ms: 1, memory_peak_bytes: 1 };
}

function calls(...times: [start: number, took?: number][]): ToolCall[] {
  return times.map(([start, took], at) => ({
    id: `exe_1.${at + 1}`,
    number: at + 1,
    caller: "key:1",
    tool: "desk.find",
    state: took === undefined ? "intended" : "done",
    effect: "read",
    arguments: {},
    result: undefined,
    argument_bytes: 2,
    created_at: moment(start),
    ...(took === undefined ? {} : { duration_ms: took }),
  }));
}

const lanes = (...times: [number, number?][]) => timeline(run, calls(...times)).bars.map(({ lane }) => lane);

describe("the timeline of calls", () => {
  test("counts from when the program could begin, to the end of the run", () => {
    const drawn = timeline(run, calls([100, 200]));
    expect(drawn.bars).toMatchObject([{ start: 100, end: 300, lane: 0 }]);
    expect(drawn.span).toBe(1000);
  });

  test("calls at the same time have lanes of their own, and a free lane is used again", () => {
    expect(lanes([0, 500], [100, 100], [150, 300], [250, 100], [600, 10])).toEqual([0, 1, 2, 1, 0]);
    expect(timeline(run, calls([0, 500], [100, 100])).lanes).toBe(2);
  });

  test("short calls after one another share a lane, though their times are round", () => {
    const drawn = timeline(run, calls([5, 0.4], [5, 0.4], [6, 0.2]));
    expect(drawn.lanes).toBe(1);
    expect(drawn.bars.map(({ start }) => start)).toEqual([5, 5.4, 6]);
  });

  test("calls that are under way reach to the end of what is known", () => {
    const going = timeline({ ...run, completed_at: "" }, calls([10, 20], [40]));
    expect(going.bars[1]).toMatchObject({ start: 40, end: going.span });
    const { completed_at: _, ...open } = run;
    expect(timeline(open, calls([10, 20], [40])).span).toBe(41);
  });

  test("a run without any time still has one", () => {
    expect(timeline(alone(0), []).span).toBe(1);
  });

  test.each([
    [1, ["0", "1 ms"]],
    [7, ["0", "2 ms", "4 ms", "6 ms"]],
    [950, ["0", "200 ms", "400 ms", "600 ms", "800 ms"]],
    [1200, ["0", "0.5 s", "1.0 s"]],
    [12_000, ["0", "5.00 s", "10.0 s"]],
    [300_000, ["0", "1 min 40 s", "3 min 20 s", "5 min 0 s"]],
  ])("a span of %d ms has few, round times", (span, texts) => {
    const drawn = timeline(alone(span), []);
    expect(drawn.ticks.map(({ text }) => text)).toEqual(texts);
    expect(drawn.ticks.every(({ at }) => at <= span)).toBe(true);
  });
});

describe("the outcome of a call", () => {
  const all = [
    { state: "done", failed: false },
    { state: "done", failed: true },
    { state: "refused", failed: true, error: "refused:denied" },
    { state: "refused", failed: true, error: "refused:invalid_argument" },
    { state: "not_sent", failed: true, error: "cancelled" },
    { state: "unknown", failed: true, error: "refused:outcome_unknown" },
    { state: "intended" },
  ].map(outcome);

  test("has a word and a look of its own, and a sentence without jargon", () => {
    expect(new Set(all.map(({ word }) => word)).size).toBe(all.length);
    expect(new Set(all.map(({ kind }) => kind)).size).toBe(all.length);
    for (const { sentence } of all) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/refused:|intended|null/);
    }
  });

  test("says who found out what nobody knew", () => {
    const found = { how: "person", by: "ann", at: "2026-11-20T09:41:02Z" };
    const happened = outcome({ state: "done", failed: false, reconciled: found });
    expect([happened.kind, happened.sentence]).toEqual([
      "done",
      "No answer came, but it happened: ann found out.",
    ]);
    const not = outcome({
      state: "not_sent",
      failed: true,
      reconciled: { ...found, how: "check", by: "find" },
    });
    expect(not.word).toBe("Did not happen");
    expect(not.sentence).toContain("find (check) found out");
  });

  test("says why, also for a reason that is new", () => {
    const refused = (error: string) => outcome({ state: "refused", failed: true, error }).sentence;
    expect(refused("refused:invalid_argument")).toContain("do not fit the tool's schema");
    expect(refused("refused:some_day")).toContain("(some day)");
    expect(outcome({ state: "done", failed: true, error: "refused:upstream" }).sentence).toContain(
      "could not be reached",
    );
  });
});
