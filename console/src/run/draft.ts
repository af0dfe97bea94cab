import type { ExecuteRequest } from "../api/types";
import { defaultCode } from "./examples";

/** What is about to be run. */
export interface Draft {
  language: string;
  code: string;
  thread: string;
  timeout: string;
  env: { name: string; value: string }[];
  session: boolean;
  /** Packages by name; empty for the default ones. */
  environment?: string;
  /** An image by name; empty for this machine's own. */
  image?: string;
  /** What the program reads from its standard input. */
  stdin?: string;
  /** Whether the next run begins the session anew. */
  afresh?: boolean;
}

export const NEW_DRAFT: Draft = {
  language: "python",
  code: defaultCode("python"),
  thread: "console",
  timeout: "",
  env: [],
  session: false,
};

export function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | undefined;
  return (
    typeof draft?.language === "string" &&
    typeof draft.code === "string" &&
    typeof draft.thread === "string" &&
    typeof draft.timeout === "string" &&
    Array.isArray(draft.env) &&
    typeof draft.session === "boolean"
  );
}

/** What is wrong with the timeout of a draft, for whoever typed it. */
export function timeoutProblem(draft: Draft, secondsMax: number): string | undefined {
  if (draft.timeout === "") return undefined;
  const timeout = Number.parseInt(draft.timeout, 10);
  return timeout >= 1 && timeout <= secondsMax ? undefined : `1 to ${secondsMax} seconds`;
}

/** The request of a draft; what is empty is left to the server. */
export function requestOf(draft: Draft): ExecuteRequest {
  const request: ExecuteRequest = { code: draft.code, language: draft.language, display: true };
  const env = draft.env.filter(({ name }) => name.trim() !== "");
  const timeout = Number.parseInt(draft.timeout, 10);
  if (draft.thread.trim() !== "") request.thread_id = draft.thread.trim();
  if (Number.isFinite(timeout)) request.timeout = timeout;
  if (env.length > 0) {
    request.env_vars = Object.fromEntries(env.map(({ name, value }) => [name.trim(), value]));
  }
  if (draft.image) request.image = draft.image;
  else if (draft.environment) request.environment = draft.environment;
  if (draft.stdin !== undefined && draft.stdin !== "") request.stdin = draft.stdin;
  if (draft.session && request.thread_id !== undefined) {
    request.session = true;
    if (draft.afresh) request.session_reset = true;
  }
  return request;
}
