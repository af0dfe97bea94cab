/** How a file can be shown. */
export type Kind = "image" | "csv" | "json" | "text" | "binary";

const IMAGES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  avif: "image/avif",
  bmp: "image/bmp",
};
const TEXTS = new Set(
  "txt md log py js mjs cjs ts sh c h java rs go html htm xml css yaml yml toml ini cfg sql r jsonl ndjson".split(
    " ",
  ),
);

function extension(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Decided by the name first: what a program calls a picture is shown as one, and nothing else can be. */
export function kindOf(path: string, mediaType = ""): Kind {
  const ending = extension(path);
  if (ending in IMAGES) return "image";
  if (ending === "csv" || ending === "tsv") return "csv";
  if (ending === "json") return "json";
  if (TEXTS.has(ending)) return "text";
  if (mediaType.startsWith("image/")) return "image";
  if (mediaType === "text/csv") return "csv";
  if (mediaType === "application/json") return "json";
  return mediaType.startsWith("text/") ? "text" : "binary";
}

/** The type an image is shown as: one of ours, never what somebody says. */
export function imageType(path: string): string {
  return IMAGES[extension(path)] ?? "image/png";
}
