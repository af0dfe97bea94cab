import type { Execution } from "../api/types";

/** The arguments that run the program of an execution again. */
export function argumentsOf(execution: Execution): Record<string, unknown> {
  const again: Record<string, unknown> = { language: execution.language, code: execution.code ?? "" };
  if (execution.thread_id !== undefined) again.thread_id = execution.thread_id;
  return again;
}

/** A text that a POSIX shell takes as one word, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function asCurl(base: string, execution: Execution): string {
  return [
    `curl -s ${shellWord(`${base}/v1/sandbox/execute`)} \\`,
    `  -H "Authorization: Bearer $CAISSON_KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(argumentsOf(execution)))}`,
  ].join("\n");
}

export function asMcp(execution: Execution): string {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "sandbox_execute", arguments: argumentsOf(execution) },
  };
  return JSON.stringify(call, null, 2);
}

/** JSON's strings are also Python's, once every character beyond ASCII and every `</` trick is escaped. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function asPython(base: string, execution: Execution): string {
  const entries = Object.entries(argumentsOf(execution)).map(
    ([name, value]) => `    ${pythonString(name)}: ${pythonString(String(value))},`,
  );
  return `import json, os, urllib.request

arguments = {
${entries.join("\n")}
}
request = urllib.request.Request(
    ${pythonString(`${base}/v1/sandbox/execute`)},
    data=json.dumps(arguments).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["CAISSON_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["stdout"])
`;
}
