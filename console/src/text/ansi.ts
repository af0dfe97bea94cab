/**
 * Reads what programs write for terminals. Colours and weights are understood; everything else a
 * terminal could be told (titles, links, cursor, clipboard) is taken out. What comes out is text and
 * numbers, never markup, so nothing a program prints can be more than text.
 */

export interface Style {
  /** 0-255 of the palette, or `#rrggbb`. */
  fg?: number | string;
  bg?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

export const PLAIN: Style = Object.freeze({});

export interface Span {
  text: string;
  style: Style;
}

/** A sequence that has not ended by then is not one. */
const SEQUENCE_LENGTH_MAX = 4096;

/** Escape sequences as a whole: CSI, strings (OSC, DCS, APC, PM, SOS) up to their end, two-byte ones. */
const SEQUENCE =
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])|\u009b([0-?]*)[ -/]*([@-~])/g;

/** Control characters that mean nothing here. Tab, line feed and carriage return are the caller's. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export class AnsiReader {
  private style: Style = PLAIN;
  private pending = "";

  /** The text of one more piece, cut where the style changes. */
  read(piece: string): Span[] {
    const text = this.withoutUnfinished(this.pending + piece);
    const spans: Span[] = [];
    let from = 0;
    for (const match of text.matchAll(SEQUENCE)) {
      push(spans, text.slice(from, match.index), this.style);
      from = match.index + match[0].length;
      if ((match[2] ?? match[4]) === "m") {
        this.style = changed(this.style, match[1] ?? match[3] ?? "");
      }
    }
    push(spans, text.slice(from), this.style);
    return spans;
  }

  /** Keeps the beginning of a sequence for the next piece. */
  private withoutUnfinished(text: string): string {
    const start = text.lastIndexOf("\u001b");
    this.pending = "";
    if (start < 0 || text.length - start > SEQUENCE_LENGTH_MAX) {
      return text;
    }
    const tail = text.slice(start);
    const begun = /^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*|[ -/]*)?$/.test(tail);
    const closing = tail === "\u001b" ? openString(text, start) : start;
    if (!begun) {
      return text;
    }
    this.pending = text.slice(closing);
    return text.slice(0, closing);
  }
}

/** Where the string starts whose end (ESC \) is cut in two, or the escape itself. */
function openString(text: string, end: number): number {
  const before = text.lastIndexOf("\u001b", end - 1);
  const open = before >= 0 && /^\u001b[\]PX^_][^\u0007\u001b]*$/.test(text.slice(before, end));
  return open && end - before <= SEQUENCE_LENGTH_MAX ? before : end;
}

function push(spans: Span[], raw: string, style: Style): void {
  const text = raw.replace(CONTROLS, "");
  if (text !== "") {
    spans.push({ text, style });
  }
}

function changed(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let next: Style = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) {
      next = {};
    } else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1));
      if (colour !== undefined) {
        next[code === 38 ? "fg" : "bg"] = colour;
      }
      i += used;
    } else {
      simple(next, code);
    }
  }
  return next;
}

function simple(style: Style, code: number): void {
  if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4) style.underline = true;
  else if (code === 7) style.inverse = true;
  else if (code === 22) {
    delete style.bold;
    delete style.dim;
  } else if (code === 23) delete style.italic;
  else if (code === 24) delete style.underline;
  else if (code === 27) delete style.inverse;
  else if (code >= 30 && code <= 37) style.fg = code - 30;
  else if (code === 39) delete style.fg;
  else if (code >= 40 && code <= 47) style.bg = code - 40;
  else if (code === 49) delete style.bg;
  else if (code >= 90 && code <= 97) style.fg = code - 90 + 8;
  else if (code >= 100 && code <= 107) style.bg = code - 100 + 8;
}

/** A colour of the palette of 256 or of three bytes, and how many codes it took. */
function extended(codes: number[]): [number | string | undefined, number] {
  const byte = (value: number | undefined) => Math.min(255, Math.max(0, Math.trunc(value ?? 0) || 0));
  if (codes[0] === 5) {
    return [byte(codes[1]), 2];
  }
  if (codes[0] === 2) {
    const hex = codes.slice(1, 4).map((value) => byte(value).toString(16).padStart(2, "0"));
    return hex.length === 3 ? [`#${hex.join("")}`, 4] : [undefined, codes.length];
  }
  return [undefined, codes.length];
}
