import { describe, expect, test } from "vitest";
import { hiddenCount, pieces } from "../src/text/hidden";

const shown = (text: string) =>
  pieces(text)
    .map((piece) => (piece.mark === undefined ? piece.text : `<${piece.mark}>`))
    .join("");

describe("characters that nobody sees", () => {
  test("are named where they stand", () => {
    expect(shown("pay\u202ella\u202c")).toBe("pay<U+202E>lla<U+202C>");
    expect(shown("\ufeffa\u200bb\u00a0c\u3164d\ufe0fe\u0007f\u{e0100}")).toBe(
      "<U+FEFF>a<U+200B>b<U+00A0>c<U+3164>d<U+FE0F>e<U+0007>f<U+E0100>",
    );
    expect(pieces("\u202e")).toEqual([{ mark: "U+202E", hint: "right-to-left override" }]);
    expect(pieces("\u{e0068}")).toEqual([{ mark: "U+E0068", hint: "tag h" }]);
    expect(shown("\ud800")).toBe("<U+D800>");
  });

  test("are counted where the same comes again", () => {
    expect(shown("a\u200b\u200b\u200bb")).toBe("a<U+200B ×3>b");
    expect(hiddenCount("a\u200b\u200b\u{e0068}b")).toBe(3);
  });

  test("are not what people write", () => {
    const text = "Grüße, 日本語, e\u0301, 🎉\n\tdone {}";
    expect(pieces(text)).toEqual([{ text }]);
    expect(pieces("")).toEqual([]);
  });

  test("are spelt out without end, but not as elements without end", () => {
    const found = pieces("a\u200b".repeat(5000));
    expect(found.length).toBeLessThan(1100);
    const rest = found.at(-1) as { text: string };
    expect(hiddenCount(rest.text)).toBe(0);
    expect(rest.text).toMatch(/^\[U\+200B\]a\[U\+200B\]/);
  });
});
