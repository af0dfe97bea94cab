import type { Style } from "./ansi";

const LEVELS = [0, 95, 135, 175, 215, 255];

/** Colours 16 to 255 of the palette; the first 16 are the theme's own. */
function paletteColour(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const cube = index - 16;
  const level = (step: number) => LEVELS[Math.floor(cube / step) % 6];
  return `rgb(${level(36)}, ${level(6)}, ${level(1)})`;
}

function cssColour(colour: number | string | undefined): string | undefined {
  if (colour === undefined || typeof colour === "string") {
    return colour;
  }
  return colour < 16 ? `var(--ansi-${colour})` : paletteColour(colour);
}

/** The style of a span as CSS properties, all of them made here and none of them the program's text. */
export function css(style: Style): Record<string, string> {
  const result: Record<string, string> = {};
  const fg = cssColour(style.inverse ? (style.bg ?? "var(--surface)") : style.fg);
  const bg = cssColour(style.inverse ? (style.fg ?? "var(--ink)") : style.bg);
  if (fg !== undefined) result.color = fg;
  if (bg !== undefined) result.backgroundColor = bg;
  if (style.bold) result.fontWeight = "650";
  if (style.dim) result.opacity = "0.7";
  if (style.italic) result.fontStyle = "italic";
  if (style.underline) result.textDecoration = "underline";
  return result;
}
