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
      return { tone: "warn", word: "Out of time" };
    case "oom":
      return { tone: "warn", word: "Out of memory" };
    case "cancelled":
      return { tone: "quiet", word: "Stopped" };
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
      return `The program ran to its end${after} and reported success.`;
    case "failed":
      return failure(result, after);
    case "timeout":
      return problem(result) ?? `The program was stopped${after}: it took longer than it was allowed to.`;
    case "oom":
      return (
        problem(result) ??
        `The program was stopped${after}: it needed more memory than it was allowed to use.`
      );
    case "cancelled":
      return `The program was stopped${after} because you asked for it.`;
    case "blocked":
      return "The program was not run: this server or this key does not allow it.";
    case "conflict":
      return "Another program is using this thread. Wait for it to end, or choose another thread.";
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
    return `The program ended${after} with exit code ${result.exit_code}, which means it reported an error.`;
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
  add("Exit code", figure(result.exit_code, String), "0 means success; programs choose the others.");
  add("Time", figure(result.duration_ms, duration), "From start to end.");
  add("Processor", figure(result.cpu_ms, duration), "Time the processor worked for it.");
  add("Memory", figure(result.memory_peak_bytes, bytes), "The most it used at once.");
  add("Waited", result.queue_ms ? duration(result.queue_ms) : undefined, "For a free place or the thread.");
  add("Start", startWord(result.start), "Where its sandbox came from: a warm start is the quicker one.");
  add("Session", result.session?.state, sessionHint(result.session));
  add("Runner", result.runner, "What ran the program.");
  return list;
}

function startWord(start: string | undefined): string | undefined {
  switch (start) {
    case "warm":
      return "Warm (stood ready)";
    case "cold":
      return "Cold (made for it)";
    default:
      return start;
  }
}

function sessionHint(session: RunResult["session"]): string {
  return (
    session?.why ??
    session?.ended ??
    "new: nothing was there before. kept: with the variables of the run before."
  );
}
