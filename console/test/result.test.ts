import { describe, expect, test } from "vitest";
import { type Ending, resultOf } from "../src/api/result";
import { stretchOf } from "../src/lib/whole";

describe("how a run ended", () => {
  test("the tool's own answer stays as it is", () => {
    const answer: Ending = {
      status: "success",
      exit_code: 0,
      duration_ms: 5,
      runner: "python 3",
      start: "warm",
    };
    expect(resultOf(answer)).toEqual(answer);
  });

  test("the record's figures are found where they lie", () => {
    const record = {
      status: "timeout",
      exit_code: null,
      error: "It took too long.",
      metrics: { queue_ms: 1, duration_ms: 2, cpu_ms: 3, memory_peak_bytes: 4, start: "cold" },
      envelope: { runner: "bash 5" },
      files: [{ path: "a/b.png", size: 1, media_type: "image/png", changed: true }],
    } as unknown as Ending;
    expect(resultOf(record)).toEqual({
      status: "timeout",
      message: "It took too long.",
      queue_ms: 1,
      duration_ms: 2,
      cpu_ms: 3,
      memory_peak_bytes: 4,
      runner: "bash 5",
      start: "cold",
      files: [{ name: "b.png", path: "a/b.png", size: 1, media_type: "image/png", changed: true }],
    });
  });
});

describe("stretches of output", () => {
  test("there is a next one until the server says that this is the end", () => {
    expect(stretchOf({ stdout: "abc", stdout_next_offset: 3, complete: false }, "stdout", 0)).toEqual({
      text: "abc",
      next: 3,
    });
    expect(stretchOf({ stdout: "abc", stdout_next_offset: 3, complete: true }, "stdout", 0)).toEqual({
      text: "abc",
    });
    expect(stretchOf({ stdout: "", stdout_next_offset: 3 }, "stdout", 3)).toEqual({ text: "" });
    expect(stretchOf({}, "stderr", 0)).toEqual({ text: "" });
  });
});
