import { describe, expect, test } from "vitest";
import { ApiError, explain, Unreachable } from "../src/api/errors";
import { ago, bytes, duration, plural } from "../src/text/format";
import { facts, label, languageName, sentence } from "../src/text/words";

const STATUSES = ["success", "failed", "timeout", "oom", "cancelled", "blocked", "conflict", "running"];

describe("words", () => {
  test("every status has a word of its own and a sentence without jargon", () => {
    const found = STATUSES.map((status) => label(status).word);
    expect(new Set(found).size).toBe(STATUSES.length);
    for (const status of STATUSES) {
      expect(sentence({ status })).toMatch(/^[A-Z].*\.$/);
      expect(sentence({ status })).not.toMatch(/oom|SIGKILL|stderr|the status/);
    }
  });

  test("a failure says how it failed", () => {
    expect(sentence({ status: "failed", exit_code: 3, duration_ms: 12 })).toContain("exit code 3");
    expect(sentence({ status: "failed", signal: "SIGSEGV" })).toContain("crashed");
    expect(sentence({ status: "odd", message: "Something new." })).toBe("Something new.");
  });

  test("what the server says of a limit is said, too", () => {
    const error = { type: "timeout", message: "It was stopped after 1 s, its time limit." };
    expect(sentence({ status: "timeout", result: { error } })).toBe(error.message);
    expect(sentence({ status: "oom", message: "It needed more than 512 MiB." })).toContain("512 MiB");
  });

  test("languages are called what people call them", () => {
    expect(languageName("python", "3.13.1")).toBe("Python 3.13.1");
    expect(languageName("typescript", "20.1.0")).toBe("TypeScript");
    expect(languageName("cobol")).toBe("cobol");
  });

  test("a start is told in words", () => {
    const start = (word: string) => facts({ status: "success", start: word })[0]?.value;
    expect([start("warm"), start("cold")]).toEqual(["Warm (from the pool)", "Cold (new sandbox)"]);
  });

  test("only what is known is shown as a fact", () => {
    const known = facts({ status: "success", exit_code: 0, duration_ms: 5, queue_ms: 0, start: "warm" });
    expect(known.map(({ name }) => name)).toEqual(["Exit code", "Duration", "Start"]);
  });

  test("refusals are explained", () => {
    expect(explain(new ApiError(401, "unauthorized", "x"))).toContain("revoked");
    expect(explain(new ApiError(429, "rate_limited", "Too many failed attempts", 30))).toMatch(
      /wrong keys.*30 s/,
    );
    expect(explain(new ApiError(429, "rate_limited", "No capacity", 2))).toMatch(/busy.*2 s/);
    expect(explain(new ApiError(400, "validation_error", "code is empty"))).toBe("code is empty");
    expect(explain(new Unreachable())).toContain("cannot be reached");
  });

  test("a pause after wrong keys means that the key is wrong, a busy server does not", () => {
    expect(new ApiError(401, "unauthorized", "x").refusesKey).toBe(true);
    expect(new ApiError(429, "rate_limited", "Too many failed attempts from this address.").refusesKey).toBe(
      true,
    );
    expect(new ApiError(429, "rate_limited", "All sandboxes are busy.").refusesKey).toBe(false);
    expect(new ApiError(403, "forbidden", "x").refusesKey).toBe(false);
  });

  test("figures read well", () => {
    expect([0, 1, 1023, 1024, 1536, 10 << 20, 5 * 2 ** 30].map(bytes)).toEqual([
      "0 bytes",
      "1 byte",
      "1023 bytes",
      "1.0 KiB",
      "1.5 KiB",
      "10.0 MiB",
      "5.0 GiB",
    ]);
    expect([5, 1234, 45_600, 61_000, 3_700_000].map(duration)).toEqual([
      "5 ms",
      "1.23 s",
      "45.6 s",
      "1 min 1 s",
      "1 h 1 min",
    ]);
    expect(plural(1, "file")).toBe("1 file");
    expect(plural(1200, "line")).toBe("1,200 lines");
    const now = Date.parse("2026-01-01T12:00:00Z");
    expect(ago("2026-01-01T11:59:58Z", now)).toBe("just now");
    expect(ago("2026-01-01T11:58:00Z", now)).toBe("2 min ago");
    expect(ago("nonsense", now)).toBe("");
  });
});
