import { describe, expect, test } from "vitest";
import type { KeyInfo, OutputPiece, RunResult } from "../src/api/types";
import { facts } from "../src/text/words";

describe("the types of the server's answers", () => {
  test("have no member that the document of the API does not name", () => {
    const session: NonNullable<RunResult["session"]> = { state: "restarted", alive: true };
    const piece: Partial<OutputPiece> = {};
    const key: Partial<KeyInfo> = {};
    // @ts-expect-error it is called reason
    expect(session.why).toBeUndefined();
    // @ts-expect-error it is called stdout and stderr
    expect(piece.text).toBeUndefined();
    // @ts-expect-error it is called last_used_at
    expect(key.last_use).toBeUndefined();
  });

  test("the reason of a restarted session is shown", () => {
    const session = { state: "restarted", reason: "it ran out of memory", alive: true };
    expect(facts({ status: "success", session })[0]?.hint).toBe("it ran out of memory");
  });
});
