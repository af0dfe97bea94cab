import { shellWord } from "../history/copies";
import { bodyOf, type Document, type Entry, isOpen, type Schema, schemaOf } from "./document";

/** What readers would write themselves, by the name of the member. */
const WORDS: Record<string, unknown> = {
  code: "print(6 * 7)",
  path: "out/result.csv",
  id: "my-thread",
  thread_id: "my-thread",
  name: "example",
};

const DEPTH_MAX = 8;

/** A small value the schema allows: what is required, and nothing else. */
export function exampleOf(document: Document, given: Schema, name = "", depth = 0): unknown {
  const schema = schemaOf(document, given);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (type === "object" || schema.properties !== undefined) {
    const required = depth < DEPTH_MAX ? (schema.required ?? []) : [];
    return Object.fromEntries(
      required.map((member) => [
        member,
        exampleOf(document, schema.properties?.[member] ?? {}, member, depth + 1),
      ]),
    );
  }
  if (type === "array")
    return depth < DEPTH_MAX ? [exampleOf(document, schema.items ?? {}, name, depth + 1)] : [];
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return false;
  return WORDS[name] ?? "text";
}

/** What a body could be. */
export function bodyExample(document: Document, entry: Entry): unknown {
  const body = bodyOf(entry.operation);
  if (body === undefined) return undefined;
  const example = exampleOf(document, body) as Record<string, unknown>;
  return entry.operation.operationId === "execute" ? { language: "python", ...example } : example;
}

const NO_KEY = "put your API key into CAISSON_KEY";

/** The request as a command for a POSIX shell. Parts of the path are in capitals, for the reader to fill in. */
export function asCurl(document: Document, entry: Entry, base: string): string {
  const path = entry.path.replace(/\{([^}]+)\}/g, (_, name: string) => name.toUpperCase());
  const body = bodyExample(document, entry);
  const streams = Object.values(entry.operation.responses).some(
    ({ content }) => content !== undefined && Object.keys(content)[0] === "text/event-stream",
  );
  const parts = [
    `curl -s${streams ? "N" : ""}${entry.method === "GET" ? "" : ` -X ${entry.method}`} ${shellWord(base + path)}`,
  ];
  if (!isOpen(entry.operation)) {
    parts.push(`  -H "Authorization: Bearer \${CAISSON_KEY:?${NO_KEY}}"`);
  }
  if (body !== undefined) {
    parts.push("  -H 'Content-Type: application/json'", `  -d ${shellWord(JSON.stringify(body))}`);
  }
  return parts.join(" \\\n");
}
