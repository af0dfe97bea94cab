import type { FileEntry, RunResult } from "../api/types";

export type Phase = "idle" | "starting" | "running" | "ended" | "refused";

/** A run as it is seen here. */
export interface RunView {
  phase: Phase;
  id?: string;
  thread?: string;
  startedAt?: number;
  cancelling?: boolean;
  attached?: boolean;
  files: FileEntry[];
  result?: RunResult;
  problem?: string;
}

export const NOTHING: RunView = { phase: "idle", files: [] };

/** A thread, when there is one. */
export function threadOf(thread: string | undefined): { thread?: string } {
  return thread === undefined ? {} : { thread };
}

/** The files with one more; a file told of twice is there once. */
export function withFile(
  files: FileEntry[],
  file: { path: string; size: number; media_type?: string; mime_type?: string },
) {
  const name = file.path.split("/").at(-1) ?? file.path;
  const mediaType = file.media_type ?? file.mime_type;
  const entry: FileEntry = { name, path: file.path, size: file.size };
  if (mediaType !== undefined) entry.media_type = mediaType;
  return [...files.filter((known) => known.path !== file.path), entry];
}
