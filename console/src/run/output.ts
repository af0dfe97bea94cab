import type { Stream } from "../api/types";
import { AnsiReader, type Span } from "../text/ansi";

/** A line as it is shown; a long one is shown as several. */
export interface Row {
  stream: Stream;
  spans: Span[];
  length: number;
}

export interface Bounds {
  rowLength: number;
  headRows: number;
  tailRows: number;
}

export const BOUNDS: Bounds = { rowLength: 1000, headRows: 20_000, tailRows: 30_000 };

/** How many rows beyond the bound are let gather before they are dropped together. */
const SLACK = 5_000;

const encoder = new TextEncoder();

/**
 * What a program has written so far, ready to be shown: the beginning and the end of it, with a count
 * of the rows between them that are no longer here. Memory is bounded however much it writes.
 */
export class OutputLog {
  readonly head: Row[] = [];
  tail: Row[] = [];
  dropped = 0;
  /** Grows with every change. */
  version = 0;
  /** Where the next piece of each stream starts, in bytes. */
  readonly offsets: Record<Stream, number> = { stdout: 0, stderr: 0 };

  private readonly readers: Record<Stream, AnsiReader> = {
    stdout: new AnsiReader(),
    stderr: new AnsiReader(),
  };
  private open: Row | undefined;
  private returned = false;

  constructor(private readonly bounds: Bounds = BOUNDS) {}

  /** @param next where the stream goes on, when the server says so */
  append(stream: Stream, text: string, offset: number, next = offset + encoder.encode(text).length): void {
    this.offsets[stream] = next;
    if (this.open?.stream !== stream) {
      this.endRow();
    }
    for (const span of this.readers[stream].read(text)) {
      this.write(stream, span);
    }
    this.version++;
  }

  get rows(): number {
    return this.head.length + this.dropped + this.tail.length;
  }

  /** The rows that are here, or only those of one stream. */
  shown(only?: Stream): { head: Row[]; tail: Row[] } {
    const wanted = (row: Row) => only === undefined || row.stream === only;
    return only === undefined
      ? { head: this.head, tail: this.tail }
      : { head: this.head.filter(wanted), tail: this.tail.filter(wanted) };
  }

  private write(stream: Stream, span: Span): void {
    for (const part of span.text.split(/(\n|\r)/)) {
      if (part === "\n") {
        this.openRow(stream);
        this.endRow();
      } else if (part === "\r") {
        this.returned = true;
      } else if (part !== "") {
        this.overwrite();
        this.fill(stream, part, span);
      }
    }
  }

  /** A carriage return starts the row again, as progress bars do. */
  private overwrite(): void {
    if (this.returned && this.open !== undefined) {
      this.open.spans = [];
      this.open.length = 0;
    }
    this.returned = false;
  }

  private fill(stream: Stream, text: string, span: Span): void {
    let rest = text;
    while (rest !== "") {
      const row = this.openRow(stream);
      const room = this.bounds.rowLength - row.length;
      row.spans.push({ text: rest.slice(0, room), style: span.style });
      row.length += Math.min(room, rest.length);
      rest = rest.slice(room);
      if (rest !== "") {
        this.endRow();
      }
    }
  }

  private openRow(stream: Stream): Row {
    if (this.open === undefined) {
      this.open = { stream, spans: [], length: 0 };
      this.keep(this.open);
    }
    return this.open;
  }

  private endRow(): void {
    this.open = undefined;
    this.returned = false;
  }

  private keep(row: Row): void {
    if (this.head.length < this.bounds.headRows) {
      this.head.push(row);
      return;
    }
    this.tail.push(row);
    const over = this.tail.length - this.bounds.tailRows;
    if (over > Math.min(SLACK, this.bounds.tailRows)) {
      this.tail = this.tail.slice(over);
      this.dropped += over;
    }
  }
}
