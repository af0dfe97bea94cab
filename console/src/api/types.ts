/** What the server says over REST, by the words of the console. The types themselves are generated. */
import type {
  ExecutionList,
  ExecutionResult,
  FetchLink,
  FilesList,
  SessionList,
  ToolCallList,
  ToolList,
  UpstreamList,
  UpstreamToolList,
  EnvironmentList as WireEnvironments,
  ExecuteRequest as WireRequest,
} from "./wire";

export type {
  BakeView,
  Connection,
  Described as DescribedTool,
  EnvironmentList,
  ExecutionDetail as Execution,
  ExecutionList,
  FilesDeleted,
  FilesList,
  HandedValue,
  Key as KeyInfo,
  KeyList,
  LedgerList,
  NewEnvironment,
  NewKeyRequest,
  NewUpstream,
  OutputPiece,
  ProfileBody as ProfileSettings,
  ProfileList,
  ProfileView as ProfileInfo,
  Runners,
  ServerStatus as Status,
  SessionList,
  ThreadPage,
  ThreadView as ThreadInfo,
  ToolAnswer,
  ToolCallList,
  ToolList as ListedTools,
  Upstream as UpstreamInfo,
  UpstreamList,
  UpstreamToolList as ReviewedTools,
  WhoAmI as Whoami,
} from "./wire";

export type SessionInfo = SessionList["sessions"][number];
export type Summary = ExecutionList["executions"][number];
export type ToolCall = ToolCallList["calls"][number];
export type UpstreamSummary = UpstreamList["upstreams"][number];
export type ReviewedTool = UpstreamToolList["tools"][number];
export type ListedTool = ToolList["tools"][number];
export type Effect = ListedTool["effect"];

/** What a person says to a definition, and what calls of it may do. */
export interface Decision {
  decision: "approve" | "refuse";
  effect?: Effect;
}

export type StoredFile = FilesList["files"][number];

/** A program to run, in any language the server has. */
export type ExecuteRequest = Omit<WireRequest, "language"> & { language: string };

/** Where a file is fetched; where one is stored there is no size yet. */
export type SignedLink = Partial<FetchLink> & Pick<FetchLink, "url" | "method" | "headers" | "expires_at">;

/** A file a run left: as its answer, its record or an event has it. */
export type FileEntry = Partial<Wire<"files">[number]> & Pick<Wire<"files">[number], "path" | "size">;

/** How a run ended: its answer, or as much of it as its record has. */
export type RunResult = Partial<Omit<ExecutionResult, "status" | "start" | "files" | "result">> & {
  status: string;
  start?: string;
  files?: FileEntry[];
  result?: Handed;
};

/** What a program handed over beside its output, or why there is none. */
export type Handed = Partial<Omit<Wire<"result">, "metrics" | "error">> & {
  error?: Partial<NonNullable<Wire<"result">["error"]>>;
};

type Wire<Member extends keyof ExecutionResult> = ExecutionResult[Member];

/** What the console must know before anybody has signed in. */
export interface Welcome {
  auth: boolean;
  version: string;
}

/** Whether the server can do its work, and for how long. */
export interface Readiness {
  status: string;
  warnings?: string[];
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

/** The report of `caisson doctor`, which the document of the API leaves open. */
export interface DoctorReport {
  healthy: boolean;
  tier: string;
  checks: number;
  findings: { area: string; check: string; holds: boolean; detail: string; remedy: string }[];
}

export type LedgerEntry = Record<string, unknown>;

/** Packages made ready under one name. */
export type EnvironmentView = WireEnvironments["environments"][number];
