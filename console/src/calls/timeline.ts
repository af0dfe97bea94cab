import type { Execution, ToolCall } from "../api/types";
import { duration } from "../text/format";

/** A call on the time of its run; times in milliseconds since the run began. */
export interface Bar {
  call: ToolCall;
  start: number;
  end: number;
  /** Which of the rows of calls that went on at the same time. */
  lane: number;
}

export interface Timeline {
  bars: Bar[];
  lanes: number;
  /** How long the whole is; more than none. */
  span: number;
  /** Round times, and what they are called. */
  ticks: Tick[];
}

export interface Tick {
  at: number;
  text: string;
}

/** The times of calls are known to the millisecond. */
const ROUNDING_MILLISECONDS = 1;
const TICKS_WANTED = 5;

/** Where each call stands on the time of its run: those that went on at the same time below one another. */
export function timeline(run: Run, calls: ToolCall[]): Timeline {
  const origin = began(run, calls);
  const known = calls.map((call) => {
    const start = Math.max(0, Date.parse(call.created_at) - origin);
    return { call, start, end: call.duration_ms === undefined ? undefined : start + call.duration_ms };
  });
  const over = run.completed_at === undefined ? 0 : Date.parse(run.completed_at) - origin;
  const span = Math.max(1, over, ...known.map(({ start, end }) => end ?? start + 1));
  const bars = inLanes(known.map(({ call, start, end }) => ({ call, start, end: end ?? span })));
  return { bars, lanes: 1 + Math.max(0, ...bars.map(({ lane }) => lane)), span, ticks: ticksOf(span) };
}

export type Run = Pick<Execution, "created_at" | "completed_at" | "metrics">;

/** When the program could begin: it waits for its turn first. */
function began(run: Run, calls: ToolCall[]): number {
  const first = Math.min(...calls.map((call) => Date.parse(call.created_at)));
  return Math.min(first, Date.parse(run.created_at) + run.metrics.queue_ms);
}

function inLanes(calls: Omit<Bar, "lane">[]): Bar[] {
  const ends: number[] = [];
  const order = [...calls].sort((a, b) => a.call.number - b.call.number);
  return order.map(({ call, start, end }) => {
    const free = ends.findIndex((last) => last <= start + ROUNDING_MILLISECONDS);
    const lane = free < 0 ? ends.length : free;
    // Two calls after one another in the same millisecond seem to overlap.
    const moved = Math.max(start, ends[lane] ?? 0) - start;
    ends[lane] = end + moved;
    return { call, start: start + moved, end: end + moved, lane };
  });
}

/** Round times within the span: 1, 2 or 5 of a power of ten apart, a millisecond at least. */
function ticksOf(span: number): Tick[] {
  const rough = Math.max(1, span / TICKS_WANTED);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, count) => {
    const at = count * step;
    return {
      at,
      text: at === 0 ? "0" : step % 1000 !== 0 && span >= 1000 ? seconds(at, step) : duration(at),
    };
  });
}

/** With as many decimals as tell two of them apart. */
function seconds(at: number, step: number): string {
  return `${(at / 1000).toFixed(Math.ceil(Math.log10(1000 / step)))} s`;
}
