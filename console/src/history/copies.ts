import type { ExecuteRequest, Execution } from "../api/types";

/**
 * The arguments that run the program of an execution again. The values of its variables were not kept,
 * so they are empty.
 *
 * @param usualSeconds the time a run has that does not ask for any
 */
export function argumentsOf(execution: Execution, usualSeconds?: number): ExecuteRequest {
  const again: ExecuteRequest = { language: execution.language, code: execution.code ?? "" };
  const seconds = Math.round((execution.limits?.timeout_ms ?? Number.NaN) / 1000);
  const names = execution.env_names ?? [];
  if (execution.thread_id !== undefined) again.thread_id = execution.thread_id;
  if (seconds > 0 && seconds !== usualSeconds) again.timeout = seconds;
  if (names.length > 0) again.env_vars = Object.fromEntries(names.map((name) => [name, ""]));
  return again;
}

/** A text that a POSIX shell takes as one word, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Where the text is used, and whether a key is needed there. */
export interface Place {
  base: string;
  auth: boolean;
}

/** What the copied text says to whoever has no key at hand. */
const NO_KEY = "put your API key into CAISSON_KEY";

export function asCurl({ base, auth }: Place, again: ExecuteRequest): string {
  const key = auth ? `-H "Authorization: Bearer \${CAISSON_KEY:?${NO_KEY}}" ` : "";
  return [
    `curl -s ${shellWord(`${base}/v1/sandbox/execute`)} \\`,
    `  ${key}-H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(again))}`,
  ].join("\n");
}

export function asMcp(again: ExecuteRequest): string {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "sandbox_execute", arguments: again },
  };
  return JSON.stringify(call, null, 2);
}

/** JSON's strings, numbers and objects of them are also Python's, once all beyond ASCII is escaped. */
export function pythonValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const AUTHORIZED = `
key = os.environ.get("CAISSON_KEY") or sys.exit(${pythonValue(NO_KEY)})
headers["Authorization"] = "Bearer " + key`;

export function asPython({ base, auth }: Place, again: ExecuteRequest): string {
  const entries = Object.entries(again).map(
    ([name, value]) => `    ${pythonValue(name)}: ${pythonValue(value)},`,
  );
  return `import json, os, sys, urllib.request

headers = {"Content-Type": "application/json"}${auth ? AUTHORIZED : ""}
arguments = {
${entries.join("\n")}
}
request = urllib.request.Request(
    ${pythonValue(`${base}/v1/sandbox/execute`)},
    data=json.dumps(arguments).encode(),
    headers=headers,
)
with urllib.request.urlopen(request) as answer:
    result = json.load(answer)
print(result["stdout"], end="")
print(result["stderr"], end="", file=sys.stderr)
`;
}
