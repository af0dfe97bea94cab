import type { Server } from "../api/server";
import type { OutputPiece, Stream } from "../api/types";

const PIECE_BYTES = 1 << 20;

/** A stretch of what was written, and where the next one starts; nothing when this was the last. */
export interface Stretch {
  text: string;
  next?: number;
}

/** Reads the server's answer for one stream. */
export function stretchOf(answer: Partial<OutputPiece>, stream: Stream, offset: number): Stretch {
  const text = answer[stream] ?? "";
  const next = answer[`${stream}_next_offset`];
  return text === "" || answer.complete || next === undefined || next <= offset ? { text } : { text, next };
}

export async function readAll(
  server: Server,
  id: string,
  stream: Stream,
  onProgress: (bytes: number) => void,
): Promise<string[]> {
  const pieces: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const from: number = offset;
    const stretch: Stretch = stretchOf(await server.output(id, stream, from, PIECE_BYTES), stream, from);
    pieces.push(stretch.text);
    offset = stretch.next;
    onProgress(offset ?? from);
  }
  return pieces;
}

/** Hands a text to the person as a file. */
export function saveText(name: string, pieces: string[]): void {
  saveBlob(name, new Blob(pieces, { type: "text/plain" }));
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
