import { membersOf } from "./definition";

/** An argument that a simple field can take. */
export interface FormField {
  name: string;
  kind: "text" | "number" | "integer" | "boolean" | "choice";
  description: string;
  required: boolean;
  options: string[];
}

/** More fields are better written as JSON. */
const FIELDS_MAX = 10;

/** The fields of a form for a schema; none where its arguments are not simple. */
export function fieldsOf(schema: unknown): FormField[] | undefined {
  const { properties, required, type, ...others } = membersOf(schema);
  const members = Object.entries(membersOf(properties));
  const composed = ["anyOf", "oneOf", "allOf", "if", "$ref"].some((word) => word in others);
  if (composed || members.length > FIELDS_MAX || (type !== undefined && type !== "object")) {
    return undefined;
  }
  const needed = Array.isArray(required) ? required : [];
  const fields = members.map(([name, member]) => fieldOf(name, membersOf(member), needed.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(name: string, member: Record<string, unknown>, required: boolean): FormField | undefined {
  const description = typeof member.description === "string" ? member.description : "";
  const field = { name, description, required, options: [] };
  if (Array.isArray(member.enum)) {
    return member.enum.every((each) => typeof each === "string")
      ? { ...field, kind: "choice", options: member.enum }
      : undefined;
  }
  switch (member.type) {
    case "string":
      return { ...field, kind: "text" };
    case "number":
    case "integer":
    case "boolean":
      return { ...field, kind: member.type };
    default:
      return undefined;
  }
}

/** The arguments that were typed; a field left empty is not sent. */
export function argumentsOf(fields: FormField[], typed: Record<string, string>): Record<string, unknown> {
  const given: [string, unknown][] = [];
  for (const { name, kind } of fields) {
    const value = typed[name] ?? "";
    if (value === "") continue;
    if (kind === "number" || kind === "integer") given.push([name, Number(value)]);
    else if (kind === "boolean") given.push([name, value === "true"]);
    else given.push([name, value]);
  }
  return Object.fromEntries(given);
}

/** What is wrong with what was typed, by the name of its field. */
export function mistakes(fields: FormField[], typed: Record<string, string>): Record<string, string> {
  const found: [string, string][] = [];
  for (const { name, kind, required } of fields) {
    const value = typed[name] ?? "";
    const number = Number(value);
    if (value === "") {
      if (required) found.push([name, "This one is needed."]);
    } else if (kind === "number" && !Number.isFinite(number)) {
      found.push([name, "This is a number."]);
    } else if (kind === "integer" && !Number.isInteger(number)) {
      found.push([name, "This is a whole number."]);
    }
  }
  return Object.fromEntries(found);
}
