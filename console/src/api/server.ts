import type { Client } from "./client";
import { query } from "./query";
import { ToolsApi } from "./tools";
import type {
  BakeView,
  DoctorReport,
  EnvironmentList,
  ExecuteRequest,
  Execution,
  ExecutionList,
  FilesDeleted,
  FilesList,
  HandedValue,
  KeyInfo,
  KeyList,
  LedgerList,
  NewEnvironment,
  NewKeyRequest,
  OutputPiece,
  ProfileInfo,
  ProfileList,
  ProfileSettings,
  Readiness,
  RunEvent,
  Runners,
  SessionList,
  SignedLink,
  Status,
  ThreadInfo,
  ThreadPage,
  ToolCall,
  ToolCallList,
  Whoami,
} from "./types";

const CALLS_OF_A_PAGE = 200;

const at = encodeURIComponent;

/** Everything the console asks of the server, one method each. */
export class Server {
  private readonly threadKeys = new Map<string, string>();

  /** Whether executions of every key are to be found by their ids; for operators alone. */
  all = false;

  readonly tools: ToolsApi;

  constructor(readonly client: Client) {
    this.tools = new ToolsApi(client);
  }

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

  cancel = (id: string) => this.client.json<Execution>(this.executionPath(id), { method: "DELETE" });
  execution = (id: string) => this.client.json<Execution>(this.executionPath(id));

  /** The value it handed over, however large. */
  value = (id: string) => this.client.json<HandedValue>(this.executionPath(id, "/result"));

  /** Calls of other servers' tools that its program made, some at a time. */
  calls(id: string, cursor?: string) {
    const page = { limit: CALLS_OF_A_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    return this.client.json<ToolCallList>(this.executionPath(id, "/calls", page), {
      foreign: ["arguments", "result"],
    });
  }

  /** Says whether a call happened of which nobody knew. */
  reconcile(id: string, happened: boolean) {
    return this.client.json<ToolCall>(`/v1/calls/${at(id)}/reconcile`, {
      method: "POST",
      body: { happened },
      foreign: ["arguments", "result"],
    });
  }

  private executionPath(id: string, part = "", asked: Record<string, string | number> = {}): string {
    return `/v1/executions/${at(id)}${part}${query({ ...asked, all: this.all })}`;
  }

  sessions = (all: boolean) => this.client.json<SessionList>(`/v1/sessions${query({ all })}`);
  endSession = (id: string, all: boolean) =>
    this.client.json<void>(`/v1/sessions/${at(id)}${query({ all })}`, { method: "DELETE" });

  executions(filter: Record<string, string | number | boolean | undefined>) {
    return this.client.json<ExecutionList>(`/v1/executions${query(filter)}`);
  }

  /** A stretch of what a run wrote; also of a run that has ended. */
  output(id: string, stream: string, offset: number, limit: number) {
    return this.client.json<OutputPiece>(this.executionPath(id, "/output", { stream, offset, limit }));
  }

  async threads(cursor?: string) {
    const page = await this.client.json<ThreadPage>(`/v1/threads${query({ limit: 200, cursor })}`);
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
    return this.post<FilesList>("/v1/files/list", {
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
    this.post<FilesDeleted>("/v1/files/delete", { ...inThread(thread), path, recursive });

  keys = () => this.client.json<KeyList>("/v1/keys");
  createKey = (key: NewKeyRequest) => this.post<KeyInfo>("/v1/keys", key);
  revokeKey = (id: string) => this.client.json<void>(`/v1/keys/${at(id)}`, { method: "DELETE" });

  profiles = () => this.client.json<ProfileList>("/v1/profiles");
  setProfile = (name: string, settings: ProfileSettings) =>
    this.client.json<ProfileInfo>(`/v1/profiles/${at(name)}`, { method: "PUT", body: settings });
  removeProfile = (name: string) => this.client.json<void>(`/v1/profiles/${at(name)}`, { method: "DELETE" });

  environments = () => this.client.json<EnvironmentList>("/v1/environments");
  bakeEnvironment = (wanted: NewEnvironment) => this.post<BakeView>("/v1/environments", wanted);
  bake = (id: string) => this.client.json<BakeView>(`/v1/environments/bakes/${at(id)}`);
  removeEnvironment = (name: string) =>
    this.client.json<void>(`/v1/environments/${at(name)}`, { method: "DELETE" });

  ready = () => this.client.json<Readiness>("/readyz");
  status = () => this.client.json<Status>("/v1/status");
  doctor = () => this.post<DoctorReport>("/v1/doctor", {});

  ledger(filter: Record<string, string | number | undefined>) {
    return this.client.json<LedgerList>(`/v1/ledger${query(filter)}`);
  }

  private post<T>(path: string, body: unknown): Promise<T> {
    return this.client.json<T>(path, { method: "POST", body });
  }
}

function inThread(id: string) {
  return { source: "thread", id };
}
