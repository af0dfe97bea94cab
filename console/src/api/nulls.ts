/** What callers and programs wrote: there null means itself. */
const OTHERS: ReadonlySet<string> = new Set(["data", "metadata"]);

/**
 * An answer without the members that have no value, which the server gives as null.
 *
 * @param foreign names of further members that others wrote
 */
export function withoutNulls<T>(value: T, foreign: readonly string[] = []): T {
  const others = foreign.length === 0 ? OTHERS : new Set([...OTHERS, ...foreign]);
  return cleared(value, others) as T;
}

function cleared(value: unknown, others: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => cleared(each, others));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, others.has(name) ? member : cleared(member, others)]),
  );
}
