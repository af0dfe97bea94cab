import { describe, expect, test } from "vitest";
import { AnsiReader } from "../src/text/ansi";
import { css } from "../src/text/palette";

const read = (...pieces: string[]) => {
  const reader = new AnsiReader();
  return pieces.flatMap((piece) => reader.read(piece));
};
const text = (...pieces: string[]) =>
  read(...pieces)
    .map((span) => span.text)
    .join("");

describe("what programs write for terminals", () => {
  test("colours and weights are understood", () => {
    expect(read("a\u001b[1;31mb\u001b[0mc")).toEqual([
      { text: "a", style: {} },
      { text: "b", style: { bold: true, fg: 1 } },
      { text: "c", style: {} },
    ]);
  });

  test("each attribute can be taken back alone", () => {
    const spans = read("\u001b[1;2;3;4;7;31;42mx\u001b[22;23;24;27;39;49my");
    expect(spans[0]?.style).toEqual({
      bold: true,
      dim: true,
      italic: true,
      underline: true,
      inverse: true,
      fg: 1,
      bg: 2,
    });
    expect(spans[1]?.style).toEqual({});
  });

  test("the palette of 256 and colours of three bytes are understood", () => {
    expect(read("\u001b[38;5;208mx")[0]?.style).toEqual({ fg: 208 });
    expect(read("\u001b[48;2;1;20;300mx")[0]?.style).toEqual({ bg: "#0114ff" });
    expect(read("\u001b[38:5:9mx")[0]?.style).toEqual({ fg: 9 });
  });

  test("a sequence cut in two is still one", () => {
    expect(read("a\u001b", "[3", "2mb")).toEqual([
      { text: "a", style: {} },
      { text: "b", style: { fg: 2 } },
    ]);
    expect(text("x\u001b]8;;http://evil", ".example\u001b", "\\y")).toBe("xy");
  });

  test.each([
    ["a title", "\u001b]0;title\u0007"],
    ["a link", "\u001b]8;;javascript:alert(1)\u001b\\"],
    ["the clipboard", "\u001b]52;c;aGk=\u0007"],
    ["the cursor", "\u001b[2J\u001b[1;1H\u001b[?25l"],
    ["a device string", "\u001bPq#0\u001b\\"],
    ["a character set", "\u001b(B"],
    ["controls", "\u0000\u0001\u0008\u007f\u0085"],
    ["the short form", "\u009b31m"],
  ])("%s is taken out", (_, sequence) => {
    expect(text(`before${sequence}after`)).toBe("beforeafter");
  });

  test("a sequence that never ends does not swallow the output", () => {
    const shown = text(`\u001b]0;${"x".repeat(5000)}`, "visible");
    expect(shown).toContain("visible");
  });

  test("no text of the program becomes a style", () => {
    const hostile = read("\u001b[38;2;red;url(x);1mx\u001b[38;5;expression(1)my");
    for (const span of hostile) {
      for (const value of Object.values(css(span.style))) {
        expect(value).toMatch(/^(#[0-9a-f]{6}|rgb\(\d+, \d+, \d+\)|var\(--[a-z0-9-]+\)|[a-z0-9.]+)$/);
      }
    }
    expect(hostile.length).toBeGreaterThan(1);
  });

  test("colours beyond the first sixteen are computed", () => {
    expect(css({ fg: 16 }).color).toBe("rgb(0, 0, 0)");
    expect(css({ fg: 231 }).color).toBe("rgb(255, 255, 255)");
    expect(css({ fg: 208 }).color).toBe("rgb(255, 135, 0)");
    expect(css({ bg: 244 }).backgroundColor).toBe("rgb(128, 128, 128)");
    expect(css({ inverse: true })).toEqual({ color: "var(--surface)", backgroundColor: "var(--ink)" });
  });
});
