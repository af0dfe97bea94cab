/** Part of a text: what a reader sees, or the name of characters that nobody would see. */
export type Piece = { text: string; mark?: never } | { mark: string; hint: string };

/**
 * Characters that have no picture of their own: controls, formats and changes of direction, tags, variation
 * selectors, unusual spaces, private and unassigned ones. A newline and a tab look as everybody expects.
 */
const HIDDEN =
  /(?![\n\t ])(?:[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]|[\u034f\u17b4\u17b5]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/u;

/** One character of a kind of which each stands alone, or a run of the same. */
const RUNS = new RegExp(`(${HIDDEN.source})\\1*`, "gu");

/** Beyond these nobody reads on; the rest stays text, with its hidden characters spelt out. */
const MARKS_MAX = 500;

const NAMES: Record<string, string> = {
  "\u00a0": "no-break space",
  "\u00ad": "soft hyphen",
  "\u200b": "zero width space",
  "\u200c": "zero width non-joiner",
  "\u200d": "zero width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of a change of direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "isolate",
  "\u2069": "end of an isolate",
  "\ufeff": "byte order mark",
};

/** The parts of a text in which nothing is hidden. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(RUNS)) {
    if (match.index > at) found.push({ text: text.slice(at, match.index) });
    if (found.length >= 2 * MARKS_MAX) {
      const rest = text.slice(match.index).replace(RUNS, (run) => `[${marked(run).mark}]`);
      return [...found, { text: rest }];
    }
    found.push(marked(match[0]));
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at) });
  return found;
}

/** How many characters of a text nobody would see. */
export function hiddenCount(text: string): number {
  let count = 0;
  for (const match of text.matchAll(RUNS)) count += [...match[0]].length;
  return count;
}

function marked(run: string): { mark: string; hint: string } {
  const [first = ""] = run;
  const count = [...run].length;
  const code = first.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const hint =
    NAMES[first] ?? (isTag(code) ? `tag ${String.fromCodePoint(code - 0xe0000)}` : "hidden character");
  return { mark: count === 1 ? name : `${name} ×${count}`, hint };
}

/** Copies of ASCII that no font draws. */
function isTag(code: number): boolean {
  return code > 0xe0020 && code < 0xe007f;
}
