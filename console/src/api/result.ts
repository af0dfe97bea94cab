import type { Execution, FileEntry, RunResult } from "./types";

/** How a run ended: as the tool says it, or as the record has it, whose figures lie deeper. */
export type Ending = RunResult & {
  metrics?: Partial<Execution["metrics"]>;
  envelope?: Partial<Execution["envelope"]>;
  error?: unknown;
};

/** An ending in the shape of a result, as far as it is known. */
export function resultOf(ending: Ending): RunResult {
  const { metrics, envelope, error, ...rest } = ending;
  const more: Record<string, unknown> = {
    message: message(error),
    duration_ms: metrics?.duration_ms,
    cpu_ms: metrics?.cpu_ms,
    queue_ms: metrics?.queue_ms,
    memory_peak_bytes: metrics?.memory_peak_bytes,
    start: metrics?.start,
    runner: envelope?.runner,
    files: ending.files?.map(named),
  };
  const known = Object.entries({ ...more, ...present(rest), ...present({ files: more.files }) });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as unknown as RunResult;
}

function present(values: object): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  );
}

function named(file: FileEntry): FileEntry {
  return { ...file, name: file.name ?? file.path.split("/").at(-1) ?? file.path };
}

function message(error: unknown): string | undefined {
  if (typeof error === "string") {
    return error;
  }
  const text = (error as { message?: unknown } | undefined | null)?.message;
  return typeof text === "string" ? text : undefined;
}
