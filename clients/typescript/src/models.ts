/** What the server answers, as values. `raw` has every member as the server sent it. */

import { RunFailed } from "./errors.js";

export type Status = "running" | "success" | "failed" | "timeout" | "oom" | "cancelled" | "blocked";

/** Members of the request beside the program. */
export interface RunOptions {
  /** `python` when absent. */
  language?: "python" | "node" | "typescript" | "bash" | (string & {});
  /** Seconds. */
  timeout?: number;
  threadId?: string;
  session?: boolean;
  sessionReset?: boolean;
  envVars?: Record<string, string>;
  secretEnvVars?: string[];
  volumes?: { name: string; access?: "read" | "write" }[];
  /** What the program reads from its standard input. */
  stdin?: string;
  /** Put into `/workspace` before the program starts. */
  files?: { path: string; content?: string; content_base64?: string; from?: Raw }[];
  /** Packages the program finds, by the name of an environment. */
  environment?: string;
  metadata?: Record<string, unknown>;
  /** How long to wait for a busy thread. */
  waitSeconds?: number;
  dataFromStdout?: boolean;
  /** Where the server sends the result of a run in the background. */
  webhookUrl?: string;
  /** The same request with the same key runs once, however often it is sent. */
  idempotencyKey?: string;
  /** Aborting ends the wait; of a run that is not in the background also the program. */
  signal?: AbortSignal;
}

export interface File {
  path: string;
  size: number;
  mediaType: string | undefined;
  /** Fetches the file without a key for a while; only in results of runs in a thread. */
  url: string | undefined;
}

/** One JSON object of the server. */
// biome-ignore lint/suspicious/noExplicitAny: its members are read once, here.
export type Raw = Record<string, any>;

export function file(raw: Raw): File {
  return {
    path: raw.path,
    size: raw.size,
    mediaType: raw.media_type ?? undefined,
    url: raw.url ?? undefined,
  };
}

/** How a run ended, or how it is going. */
export class Result {
  readonly executionId: string;
  readonly status: Status;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The server's own words about the end, such as the limit that was reached. */
  readonly message: string | undefined;
  /** The value of the program's global `result`. */
  readonly data: unknown;
  readonly files: File[];
  readonly durationMs: number | undefined;

  constructor(readonly raw: Raw) {
    this.executionId = raw.execution_id;
    this.status = raw.status;
    this.exitCode = raw.exit_code ?? undefined;
    this.stdout = raw.stdout ?? "";
    this.stderr = raw.stderr ?? "";
    this.message = raw.message ?? raw.error ?? undefined;
    this.data = raw.result?.data ?? undefined;
    this.files = (raw.files ?? []).map(file);
    this.durationMs = raw.duration_ms ?? undefined;
  }

  get ok(): boolean {
    return this.status === "success";
  }

  get running(): boolean {
    return this.status === "running";
  }

  /** Returns the result itself, or throws `RunFailed`. */
  check(): this {
    if (!this.ok) throw new RunFailed(this);
    return this;
  }
}

export type Event =
  | { type: "started"; executionId: string; language: string }
  | { type: "stdout" | "stderr"; text: string; offset: number; nextOffset: number }
  | { type: "file"; file: File }
  | { type: "result"; result: Result };

/** The event of one object of a stream; undefined for those without news, and for unknown ones. */
export function event(raw: Raw): Event | undefined {
  switch (raw.event) {
    case "started":
      return { type: "started", executionId: raw.execution_id, language: raw.language };
    case "stdout":
    case "stderr":
      return { type: raw.event, text: raw.text, offset: raw.offset, nextOffset: raw.next_offset };
    case "file":
      return { type: "file", file: file(raw) };
    case "result":
      return { type: "result", result: new Result(raw.result) };
    default:
      return undefined;
  }
}
