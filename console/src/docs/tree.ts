import { type Document, type Schema, schemaOf } from "./document";

/** A member of a value, and what it is made of. */
export interface Member {
  name: string;
  type: string;
  required: boolean;
  about: string;
  /** What it may be, in a few words. */
  limits: string[];
  members: Member[];
}

/** A schema that contains itself has no end. */
const DEPTH_MAX = 8;

/** The members of an object, or of the items of an array. */
export function members(document: Document, given: Schema, depth = 0): Member[] {
  const schema = schemaOf(document, given);
  if (depth >= DEPTH_MAX) return [];
  if (schema.items !== undefined) return members(document, schema.items, depth);
  const named = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    memberOf(document, name, member, schema.required?.includes(name) ?? false, depth + 1),
  );
  const more = schema.additionalProperties;
  return typeof more === "object" ? [...named, memberOf(document, "…", more, false, depth + 1)] : named;
}

function memberOf(document: Document, name: string, given: Schema, required: boolean, depth: number): Member {
  const schema = schemaOf(document, given);
  return {
    name,
    type: typeOf(document, schema),
    required,
    about: schema.description ?? "",
    limits: limitsOf(schema),
    members: members(document, schema, depth),
  };
}

/** Such as `string`, `integer or null` or `object[]`. */
export function typeOf(document: Document, given: Schema): string {
  const schema = schemaOf(document, given);
  if (schema.items !== undefined) return `${typeOf(document, schema.items)}[]`;
  const type = schema.type ?? "any";
  return typeof type === "string" ? type : type.join(" or ");
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  return [
    schema.enum && `one of ${schema.enum.map((value) => String(value)).join(", ")}`,
    range("", minimum, maximum),
    range(" characters", minLength || undefined, maxLength),
    range(" items", undefined, maxItems),
    range(" bytes", undefined, schema["x-max-bytes"]),
    schema.pattern && `matches ${schema.pattern}`,
    schema.default !== undefined && `${JSON.stringify(schema.default)} if absent`,
  ].filter((words) => typeof words === "string" && words !== "") as string[];
}

function range(unit: string, least: number | undefined, most: number | undefined): string {
  const word = (value: number) => value.toLocaleString("en-US");
  if (least !== undefined && most !== undefined) return `${word(least)} to ${word(most)}${unit}`;
  if (most !== undefined) return `at most ${word(most)}${unit}`;
  return least === undefined ? "" : `at least ${word(least)}${unit}`;
}
