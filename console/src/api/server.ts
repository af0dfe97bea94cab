import type { Client } from "./client";
import type {
  DoctorReport,
  ExecuteRequest,
  Execution,
  KeyInfo,
  LedgerEntry,
  RunEvent,
  Runners,
  SignedLink,
  Status,
  StoredFile,
  Summary,
  ThreadInfo,
  Whoami,
} from "./types";

const at = encodeURIComponent;

/** A query of the parameters that are set. */
export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== "" && value !== false)
    .map(([name, value]) => `${name}=${at(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** Everything the console asks of the server, one method each. */
export class Server {
  private readonly threadKeys = new Map<string, string>();

  constructor(readonly client: Client) {}

  whoami = () => this.client.json<Whoami>("/v1/whoami");
  runners = () => this.client.json<Runners>("/v1/runners");

  /**
   * Runs a program and tells what it does. Under one order it runs once, however often it is asked for,
   * and it goes on when we stop listening; `watch` takes it up again.
   */
  execute(request: ExecuteRequest, order: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
    return this.client.lines<RunEvent>("/v1/sandbox/execute", {
      method: "POST",
      body: request,
      headers: { "Idempotency-Key": order },
      signal,
    });
  }

  watch(
    id: string,
    offsets: { stdout: number; stderr: number },
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent> {
    const from = query({
      stdout_offset: offsets.stdout || undefined,
      stderr_offset: offsets.stderr || undefined,
    });
    return this.client.lines<RunEvent>(`/v1/executions/${at(id)}/output${from}`, { signal });
  }

  cancel = (id: string) => this.client.json<Execution>(`/v1/executions/${at(id)}`, { method: "DELETE" });
  execution = (id: string) => this.client.json<Execution>(`/v1/executions/${at(id)}`);

  /** The value it handed over, however large. */
  value = (id: string) =>
    this.client.json<{ data: unknown; data_note?: string | null }>(`/v1/executions/${at(id)}/result`);

  executions(filter: Record<string, string | number | boolean | undefined>) {
    return this.client.json<{ executions: Summary[]; next_cursor?: string }>(
      `/v1/executions${query(filter)}`,
    );
  }

  /** A stretch of what a run wrote; also of a run that has ended. */
  output(id: string, stream: string, offset: number, limit: number) {
    const asked = query({ stream, offset, limit });
    return this.client.json<Record<string, unknown>>(`/v1/executions/${at(id)}/output${asked}`);
  }

  async threads(cursor?: string) {
    const page = await this.client.json<{ threads: ThreadInfo[]; next_cursor?: string }>(
      `/v1/threads${query({ limit: 200, cursor })}`,
    );
    for (const each of page.threads) this.threadKeys.set(each.id, each.key);
    return page;
  }
  thread = (id: string) => this.client.json<ThreadInfo>(this.threadPath(id));
  deleteThread = (id: string) => this.client.json<void>(this.threadPath(id), { method: "DELETE" });
  archive = (id: string) => this.client.send(`${this.threadPath(id)}/archive?format=zip`);

  /** Not every id can stand in a path, but every key can. */
  private threadPath(id: string): string {
    return `/v1/threads/${at(this.threadKeys.get(id) ?? id)}`;
  }

  files(thread: string, path: string, cursor?: string) {
    return this.post<{ files: StoredFile[]; next_cursor?: string }>("/v1/files/list", {
      ...inThread(thread),
      ...(path === "" ? {} : { path }),
      ...(cursor === undefined ? {} : { cursor }),
      limit: 200,
    });
  }

  downloadLink = (thread: string, path: string) =>
    this.post<SignedLink>("/v1/files/download", { ...inThread(thread), path });
  uploadLink = (thread: string, path: string) =>
    this.post<SignedLink>("/v1/files/upload", { ...inThread(thread), path });
  deleteFile = (thread: string, path: string, recursive: boolean) =>
    this.post<{ deleted: number }>("/v1/files/delete", { ...inThread(thread), path, recursive });

  keys = () => this.client.json<{ keys: KeyInfo[] }>("/v1/keys?limit=200");
  createKey = (key: { name: string; scopes?: string[]; expires_at?: string }) =>
    this.post<KeyInfo>("/v1/keys", key);
  revokeKey = (id: string) => this.client.json<void>(`/v1/keys/${at(id)}`, { method: "DELETE" });

  status = () => this.client.json<Status>("/v1/status");
  doctor = () => this.post<DoctorReport>("/v1/doctor", {});

  ledger(filter: Record<string, string | number | undefined>) {
    return this.client.json<{ entries: LedgerEntry[]; next_cursor?: string }>(`/v1/ledger${query(filter)}`);
  }

  private post<T>(path: string, body: unknown): Promise<T> {
    return this.client.json<T>(path, { method: "POST", body });
  }
}

function inThread(id: string) {
  return { source: "thread", id };
}
