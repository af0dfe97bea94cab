/** What the server says over REST, as far as the console reads it. */

export interface Whoami {
  name: string;
  scopes: string[];
  toolsets: string[];
  version: string;
  base_url: string;
  auth: boolean;
}

/** What the console must know before anybody has signed in. */
export interface Welcome {
  auth: boolean;
  version: string;
}

export interface ExecuteRequest {
  code: string;
  language: string;
  timeout?: number;
  thread_id?: string;
  env_vars?: Record<string, string>;
  session?: boolean;
  session_reset?: boolean;
}

export interface FileEntry {
  name: string;
  path: string;
  size: number;
  mime_type?: string;
  media_type?: string;
  changed?: boolean;
}

/** How a run ended: the server's word, but for the texts the program wrote. */
export interface RunResult {
  status: string;
  success?: boolean;
  exit_code?: number;
  signal?: string;
  message?: string;
  language?: string;
  runner?: string;
  thread_id?: string;
  stdout?: string;
  stderr?: string;
  stdout_bytes?: number;
  stderr_bytes?: number;
  stdout_truncated?: boolean;
  stderr_truncated?: boolean;
  stdout_omitted_bytes?: number;
  stderr_omitted_bytes?: number;
  files?: FileEntry[];
  files_total?: number;
  duration_ms?: number;
  queue_ms?: number;
  cpu_ms?: number;
  memory_peak_bytes?: number;
  start?: string;
  session?: { state?: string; why?: string; ended?: string };
  run_id?: string;
  trace_id?: string;
  result?: Handed;
}

/** What a program handed over beside its output, or why there is none. */
export interface Handed {
  data?: unknown;
  /** Of a value that is kept apart, because it is too large for the answer. */
  data_stored_bytes?: number;
  data_file?: { path: string; bytes: number } | null;
  data_note?: string | null;
  error?: { type: string; message: string };
}

export type Stream = "stdout" | "stderr";

export type RunEvent =
  | {
      event: "started";
      trace_id: string;
      run_id: string;
      language: string;
      thread_id?: string;
    }
  | { event: Stream; text: string; offset: number; next_offset?: number }
  | { event: "file"; path: string; size: number; media_type?: string; url?: string }
  | { event: "result"; result: RunResult }
  | { event: "error"; error: string; message: string }
  | { event: "beat" };

export interface Summary {
  trace_id: string;
  run_id: string;
  status: string;
  language: string;
  thread_id?: string;
  exit_code?: number;
  duration_ms?: number;
  created_at: string;
  completed_at?: string;
  caller: string;
  delivery_mode?: string;
  code_preview?: string;
}

export interface Execution extends Summary {
  code?: string;
  metadata?: unknown;
  env_names?: string[];
  limits?: { timeout_ms?: number; [name: string]: unknown };
  stdout: string;
  stderr: string;
  stdout_bytes: number;
  stderr_bytes: number;
  truncated?: boolean;
  error?: unknown;
  files?: FileEntry[];
  files_total?: number;
  signal?: string;
  metrics?: { start?: string; [name: string]: number | string | undefined };
  result?: Handed;
  envelope?: Record<string, unknown>;
}

export interface ThreadInfo {
  id: string;
  /** Stands for the id in a path. */
  key: string;
  bytes_used: number;
  bytes_max?: number;
  files_used: number;
  files_max?: number;
  modified_at: string;
  busy: boolean;
}

export interface StoredFile {
  name: string;
  path: string;
  size: number;
  modified: string;
  is_directory: boolean;
  media_type?: string;
  kind: "file" | "directory" | "link" | "other";
}

export interface SignedLink {
  url: string;
  method: string;
  headers: { name: string; value: string }[];
  expires_at: string;
  size?: number;
  media_type?: string;
}

export interface Runners {
  languages: { language: string; image: string; name: string; version: string }[];
  missing: { language: string; why: string; remedy: string }[];
  tier: string;
  layers: string[];
  missing_layers: Record<string, string>;
  limits: {
    timeout_seconds: number;
    timeout_seconds_max: number;
    memory_bytes: number;
    [name: string]: unknown;
  };
}

export interface KeyInfo {
  id: string;
  name: string;
  scopes: string[];
  toolsets?: string[];
  created_at?: string;
  expires_at?: string;
  last_used_at?: string;
  revoked_at?: string;
  secret?: string;
}

export interface Status {
  version: string;
  uptime_s: number;
  runs: { active: number; waiting: number; places: number };
  pool: { runner: string; ready: number; target: number; hits: number; misses: number }[];
  isolation: { tier: string; layers: { name: string; in_force: boolean; reason?: string }[] };
  store: { kind: string };
  streams_open: number;
}

export interface DoctorReport {
  healthy: boolean;
  tier: string;
  checks: number;
  findings: { area: string; check: string; holds: boolean; detail: string; remedy: string }[];
}

export type LedgerEntry = Record<string, unknown>;
