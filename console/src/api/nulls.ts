/** What callers and programs wrote: there null means itself. */
const OTHERS = new Set(["data", "metadata"]);

/** An answer without the members that have no value, which the server gives as null. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(withoutNulls) as T;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, OTHERS.has(name) ? member : withoutNulls(member)]),
  ) as T;
}
