import type { RunResult } from "../api/types";
import { bytes, duration } from "./format";

export type Tone = "good" | "bad" | "warn" | "busy" | "quiet";

const LANGUAGES: Record<string, string> = {
  python: "Python",
  node: "Node.js",
  typescript: "TypeScript",
  bash: "Bash",
};

/** What people call a language. TypeScript's version would be that of what runs it, so it is left out. */
export function languageName(language: string, version = ""): string {
  const name = LANGUAGES[language] ?? language;
  return version === "" || language === "typescript" ? name : `${name} ${version}`;
}

/** A status as a label: how it looks and what it is called. */
export function label(status: string): { tone: Tone; word: string } {
  switch (status) {
    case "success":
      return { tone: "good", word: "Succeeded" };
    case "failed":
      return { tone: "bad", word: "Failed" };
    case "timeout":
      return { tone: "warn", word: "Timed out" };
    case "oom":
      return { tone: "warn", word: "Out of memory" };
    case "cancelled":
      return { tone: "quiet", word: "Cancelled" };
    case "blocked":
      return { tone: "warn", word: "Blocked" };
    case "conflict":
      return { tone: "warn", word: "Thread busy" };
    case "running":
      return { tone: "busy", word: "Running" };
    default:
      return { tone: "quiet", word: status };
  }
}

/** How a run ended, in a sentence a newcomer understands. */
export function sentence(result: RunResult): string {
  const after = result.duration_ms === undefined ? "" : ` after ${duration(result.duration_ms)}`;
  switch (result.status) {
    case "running":
      return "The program is still running.";
    case "success":
      return `The program succeeded${after}.`;
    case "failed":
      return failure(result, after);
    case "timeout":
      return problem(result) ?? `The program timed out${after}.`;
    case "oom":
      return problem(result) ?? `The program was stopped${after}: it exceeded its memory limit.`;
    case "cancelled":
      return `The program was cancelled${after}.`;
    case "blocked":
      return "The program did not run: this server or this key does not allow it.";
    case "conflict":
      return "Another program is using this thread. Wait until it ends, or choose another thread.";
    default:
      return result.message ?? `The run ended with the status ${result.status}.`;
  }
}

/** What the server says about it, which names the limit and what to do. */
function problem(result: RunResult): string | undefined {
  return result.result?.error?.message ?? result.message;
}

function failure(result: RunResult, after: string): string {
  if (result.signal !== undefined) {
    return `The program crashed${after} (signal ${result.signal}).`;
  }
  if (result.exit_code !== undefined) {
    return `The program ended${after} with exit code ${result.exit_code}, which reports an error.`;
  }
  return result.message ?? `The program failed${after}.`;
}

/** The figures of a run that are known, each with what it means. */
export function facts(result: RunResult): { name: string; value: string; hint: string }[] {
  const list: { name: string; value: string; hint: string }[] = [];
  const add = (name: string, value: string | undefined, hint: string) => {
    if (value !== undefined) {
      list.push({ name, value, hint });
    }
  };
  const figure = (value: number | undefined, format: (value: number) => string) =>
    value === undefined ? undefined : format(value);
  add("Exit code", figure(result.exit_code, String), "0 means success. Programs choose other values.");
  add("Duration", figure(result.duration_ms, duration), "Time from start to end.");
  add("CPU time", figure(result.cpu_ms, duration), "CPU time that the program used.");
  add("Memory", figure(result.memory_peak_bytes, bytes), "Peak memory of the program.");
  add(
    "Waited",
    result.queue_ms ? duration(result.queue_ms) : undefined,
    "Time spent waiting for a free place or for the thread.",
  );
  add(
    "Start",
    startWord(result.start),
    "A warm start took a sandbox from the pool and is faster. A cold start made a new one.",
  );
  add("Session", result.session?.state, sessionHint(result.session));
  add("Runner", result.runner, "Interpreter that ran the program.");
  return list;
}

function startWord(start: string | undefined): string | undefined {
  switch (start) {
    case "warm":
      return "Warm (from the pool)";
    case "cold":
      return "Cold (new sandbox)";
    default:
      return start;
  }
}

function sessionHint(session: RunResult["session"]): string {
  return (
    session?.reason ??
    session?.ended ??
    "new: the interpreter was started for this run. kept: the variables of the previous run are still there."
  );
}
