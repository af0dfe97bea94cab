// Writes src/api/wire.ts: the types of what the server says over REST, from docs/openapi.json.
//
// A member that may be null is optional in these types, because the client leaves such members out
// (see src/api/nulls.ts). A member of an answer that the document does not name does not compile.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const document = new URL("../../docs/openapi.json", import.meta.url);
const types = fileURLToPath(new URL("../src/api/wire.ts", import.meta.url));

/** The TypeScript type of a schema. */
export function typeOf(schema, indent = "") {
  if (schema.$ref !== undefined) {
    return schema.$ref.replace("#/components/schemas/", "");
  }
  if (schema.enum !== undefined) {
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value))
      .join(" | ");
  }
  const kinds = [schema.type ?? "unknown"].flat().filter((kind) => kind !== "null");
  return kinds.map((kind) => plain(kind, schema, indent)).join(" | ");
}

function plain(kind, schema, indent) {
  switch (kind) {
    case "string":
    case "boolean":
    case "number":
    case "unknown":
      return kind;
    case "integer":
      return "number";
    case "array":
      return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    case "object":
      return objectOf(schema, indent);
    default:
      throw new Error(`no type for ${kind}`);
  }
}

function objectOf(schema, indent) {
  if (schema.properties === undefined) {
    const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
    return `Record<string, ${typeOf(values, indent)}>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const always = (schema.required ?? []).includes(name) && !mayBeNull(member);
    const comment = member.description === undefined ? "" : `${inner}/** ${member.description} */\n`;
    return `${comment}${inner}${JSON.stringify(name)}${always ? "" : "?"}: ${typeOf(member, inner)};\n`;
  });
  return `{\n${members.join("")}${indent}}`;
}

function mayBeNull(schema) {
  return [schema.type ?? []].flat().includes("null");
}

/** The source text of all types of a document. */
export function typesOf(openapi) {
  const types = Object.entries(openapi.components.schemas)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`)
    .join("\n");
  return `/* Generated from docs/openapi.json by tools/wire-types.mjs; not to be edited. */\n\n${types}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(dirname(types), { recursive: true });
  writeFileSync(types, typesOf(JSON.parse(readFileSync(document, "utf8"))));
}
