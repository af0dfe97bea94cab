/** A query of the parameters that are set. */
export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== "" && value !== false)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
