import { describe, expect, test } from "vitest";
import { type DiffRow, diff, folded, parts } from "../src/tools/diff";

const SIGNS = { same: " ", removed: "-", added: "+", changed: "~" };
const shown = (rows: DiffRow[]) =>
  rows.map(({ kind, before, after }) => SIGNS[kind] + [before, after].join("|"));
const of = (before: string, after: string) => diff([...before].join("\n"), [...after].join("\n"));

describe("what differs between two texts", () => {
  test("is nothing where they are the same", () => {
    expect(shown(of("abc", "abc"))).toEqual([" a|a", " b|b", " c|c"]);
  });

  test("is what came, what went and what is another", () => {
    expect(shown(of("abc", "abxc"))).toEqual([" a|a", " b|b", "+|x", " c|c"]);
    expect(shown(of("abc", "ac"))).toEqual([" a|a", "-b|", " c|c"]);
    expect(shown(of("abc", "axc"))).toEqual([" a|a", "~b|x", " c|c"]);
    expect(shown(of("abcd", "axyd"))).toEqual([" a|a", "~b|x", "~c|y", " d|d"]);
    expect(shown(of("abcde", "xbdyz"))).toEqual(["~a|x", " b|b", "-c|", " d|d", "~e|y", "+|z"]);
  });

  test("gives back both texts, whatever they are", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let turn = 0; turn < 300; turn++) {
      const [one, other] = [1, 2].map(() =>
        Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n"),
      );
      const rows = diff(one ?? "", other ?? "");
      const side = (which: "before" | "after") =>
        rows.flatMap((row) => (row[which] === undefined ? [] : [row[which]])).join("\n");
      expect(side("before")).toBe(one);
      expect(side("after")).toBe(other);
    }
  });

  test("of texts too long to compare line by line is all of it", () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join("\n");
    const rows = diff(`same\n${text("a")}`, `same\n${text("b")}`);
    expect(rows).toHaveLength(20_001);
    expect(rows[1]).toEqual({ kind: "changed", before: "a 0", after: "b 0" });
  });

  test("is shown within a line", () => {
    expect(parts("say word.", "say a word.")).toEqual(["say ", "", "word."]);
    expect(parts("say a word.", "say word.")).toEqual(["say ", "a ", "word."]);
    expect(parts("aa", "aaa")).toEqual(["aa", "", ""]);
    expect(parts("😀x", "😁x")).toEqual(["", "😀", "x"]);
  });

  test("is not hidden by what is the same, which is folded away", () => {
    const rows = folded(of("abcdefghijk", "abcdefxhijk"), 2);
    expect(rows.map((row) => (row.kind === "fold" ? row.rows.length : SIGNS[row.kind]))).toEqual([
      4,
      " ",
      " ",
      "~",
      " ",
      " ",
      2,
    ]);
  });
});
