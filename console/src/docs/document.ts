/** The parts of an OpenAPI document that are shown. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  "x-max-bytes"?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Reply {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, Reply>;
}

export interface Document {
  info: { title: string; summary?: string; version: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema>; responses?: Record<string, Reply> };
}

/** One thing that can be asked for. */
export interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export interface Group {
  name: string;
  about: string;
  entries: Entry[];
}

const OTHER = "Other";
export const JSON_TYPE = "application/json";

/** All that can be asked for, by tag, in the order of the document; what has no tag comes last. */
export function groups(document: Document): Group[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return [...(document.tags ?? []), { name: OTHER }]
    .map(({ name, description = "" }: { name: string; description?: string }) => ({
      name,
      about: description,
      entries: entries.filter(({ operation }) => (operation.tags?.[0] ?? OTHER) === name),
    }))
    .filter((group) => group.entries.length > 0);
}

/** What has all these words in its name, its path or what is said of it. */
export function matching(all: Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ method, path, operation }: Entry) => {
    const said = `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
  return all
    .map((group) => ({ ...group, entries: group.entries.filter(has) }))
    .filter((group) => group.entries.length > 0);
}

/** Where a reference leads; the schema itself when it is none. */
export function schemaOf(document: Document, schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
}

export function replyOf(document: Document, reply: Reply): Reply {
  const name = /^#\/components\/responses\/(.+)$/.exec(reply.$ref ?? "")?.[1];
  return name === undefined ? reply : (document.components?.responses?.[name] ?? {});
}

/** What an operation takes as JSON. */
export function bodyOf(operation: Operation): Schema | undefined {
  return operation.requestBody?.content[JSON_TYPE]?.schema;
}

/** Whether it is answered without a key. */
export function isOpen(operation: Operation): boolean {
  return operation.security?.length === 0;
}
