import type { Stream } from "../api/types";
import { OutputLog, type Row } from "./output";

/** A text that is there as a whole, as rows. */
export function plainRows(stream: Stream, text: string): Row[] {
  const log = new OutputLog({ rowLength: 1000, headRows: Number.MAX_SAFE_INTEGER, tailRows: 0 });
  log.append(stream, text, 0);
  return log.head;
}
