/** What people want to read first; the rest by the alphabet. */
const FIRST = ["name", "title", "description", "annotations", "inputSchema", "outputSchema"];

/** A definition as text in which the order of members says nothing, as in its hash. */
export function definitionText(definition: unknown): string {
  return JSON.stringify(ordered(definition, FIRST), null, 2) ?? "";
}

function ordered(value: unknown, first: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => ordered(each, []));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const members = Object.entries(value).sort(
    ([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member, [])]));
}

/** What changed between two definitions, each in a sentence a person checks first. */
export function changes(before: unknown, after: unknown): string[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const found: string[] = [];
  if (old.description !== now.description) found.push("It is described otherwise.");
  if (old.title !== now.title) found.push("It has another title.");
  found.push(...argumentChanges(old.inputSchema, now.inputSchema));
  if (text(old.outputSchema) !== text(now.outputSchema)) found.push("It answers in another form.");
  if (text(old.annotations) !== text(now.annotations)) found.push("It says otherwise what it may do.");
  return found.length === 0 ? ["Only parts that no model reads are other."] : found;
}

function argumentChanges(before: unknown, after: unknown): string[] {
  const [old, now] = [membersOf(membersOf(before).properties), membersOf(membersOf(after).properties)];
  const came = Object.keys(now).filter((name) => !(name in old));
  const gone = Object.keys(old).filter((name) => !(name in now));
  const other = Object.keys(now).filter((name) => name in old && text(old[name]) !== text(now[name]));
  const found = [
    named("It takes", came, "as well"),
    named("It no longer takes", gone, ""),
    named("It takes", other, "in another form"),
  ].filter((sentence) => sentence !== "");
  return found.length === 0 && text(before) !== text(after) ? ["It takes its arguments otherwise."] : found;
}

function named(begin: string, names: string[], end: string): string {
  return names.length === 0 ? "" : `${begin} ${names.join(", ")}${end === "" ? "" : ` ${end}`}.`;
}

/** The members of an object; of anything else none. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function text(value: unknown): string {
  return JSON.stringify(ordered(value, [])) ?? "";
}
