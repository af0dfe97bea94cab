/** A line of a text before, after, or in both. */
export interface DiffRow {
  kind: "same" | "removed" | "added" | "changed";
  before?: string;
  after?: string;
}

/** More pairs of lines are not compared one by one: what differs is then all removed and all added. */
const PAIRS_MAX = 4_000_000;

/** What differs between two texts, line by line. */
export function diff(before: string, after: string): DiffRow[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const rest = Math.min(old.length, now.length) - head;
  while (tail < rest && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [...old.slice(0, head).map(same), ...paired(middle), ...old.slice(old.length - tail).map(same)];
}

function same(line: string): DiffRow {
  return { kind: "same", before: line, after: line };
}

/** By the longest common subsequence. */
function between(old: string[], now: string[]): DiffRow[] {
  const [rows, columns] = [old.length, now.length];
  if (rows * columns > PAIRS_MAX) {
    return [...old.map(removed), ...now.map(added)];
  }
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const found: DiffRow[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [left, right] = [old[row], now[column]];
    if (left !== undefined && left === right) {
      found.push(same(left));
      row++;
      column++;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      found.push(removed(left));
      row++;
    } else if (right !== undefined) {
      found.push(added(right));
      column++;
    }
  }
  return found;
}

function removed(line: string): DiffRow {
  return { kind: "removed", before: line };
}

function added(line: string): DiffRow {
  return { kind: "added", after: line };
}

/** Lines that are gone and lines that came in their place stand beside one another. */
function paired(rows: DiffRow[]): DiffRow[] {
  const found: DiffRow[] = [];
  let at = 0;
  while (at < rows.length) {
    const gone = stretch(rows, at, "removed");
    const came = stretch(rows, at + gone.length, "added");
    for (let line = 0; line < Math.max(gone.length, came.length); line++) {
      const before = gone[line]?.before;
      const after = came[line]?.after;
      if (before === undefined) found.push({ kind: "added", after: after ?? "" });
      else if (after === undefined) found.push({ kind: "removed", before });
      else found.push({ kind: "changed", before, after });
    }
    at += gone.length + came.length;
    const still = rows[at];
    if (gone.length + came.length === 0 && still !== undefined) {
      found.push(still);
      at++;
    }
  }
  return found;
}

function stretch(rows: DiffRow[], from: number, kind: DiffRow["kind"]): DiffRow[] {
  let to = from;
  while (rows[to]?.kind === kind) to++;
  return rows.slice(from, to);
}

/** A line in three parts, of which only the middle is another in the other line. */
export function parts(line: string, other: string): [string, string, string] {
  const [mine, theirs] = [[...line], [...other]];
  const shorter = Math.min(mine.length, theirs.length);
  let head = 0;
  while (head < shorter && mine[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < shorter - head && mine[mine.length - 1 - tail] === theirs[theirs.length - 1 - tail]) tail++;
  const end = mine.length - tail;
  return [mine.slice(0, head).join(""), mine.slice(head, end).join(""), mine.slice(end).join("")];
}

/** Rows with those that are the same, and far from any that is not, left out and counted. */
export function folded(rows: DiffRow[], context = 3): (DiffRow | { kind: "fold"; rows: DiffRow[] })[] {
  const near = rows.map((_, at) =>
    rows.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== "same"),
  );
  const found: (DiffRow | { kind: "fold"; rows: DiffRow[] })[] = [];
  rows.forEach((row, at) => {
    const last = found.at(-1);
    if (near[at]) found.push(row);
    else if (last?.kind === "fold") last.rows.push(row);
    else found.push({ kind: "fold", rows: [row] });
  });
  return found;
}
