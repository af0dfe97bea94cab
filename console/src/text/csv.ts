export interface Table {
  columns: string[];
  rows: string[][];
  /** Whether there is more than is here. */
  cut: boolean;
}

export const ROWS_MAX = 200;
export const COLUMNS_MAX = 50;

/** The beginning of a file of separated values, whose first row names the columns. */
export function readCsv(text: string, whole = true): Table {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length <= ROWS_MAX) {
    const [value, end] = field(text, at, separator);
    row.push(value);
    at = end + 1;
    if (text[end] !== separator) {
      at += text[end] === "\r" && text[end + 1] === "\n" ? 1 : 0;
      rows.push(row);
      row = [];
    }
  }
  const ended = at >= text.length;
  if (row.length > 0) {
    rows.push([...row, ""]);
  }
  if (!whole && ended && rows.length > 1) {
    rows.pop();
  }
  return shaped(rows, !ended || !whole);
}

/** One value and where it ends. */
function field(text: string, start: number, separator: string): [string, number] {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") {
      end++;
    }
    return [text.slice(start, end), end];
  }
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      return [value + text.slice(at), text.length];
    }
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const [rest, end] = field(text, quote + 1, separator);
      return [value + rest, end];
    }
    value += '"';
    at = quote + 2;
  }
}

function separatorOf(text: string): string {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const count = (separator: string) => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, next) => (count(next) > count(best) ? next : best));
}

function shaped(rows: string[][], cut: boolean): Table {
  const [columns = [], ...rest] = rows.map((row) => row.slice(0, COLUMNS_MAX));
  const wide = rows.some((row) => row.length > COLUMNS_MAX);
  return { columns, rows: rest.slice(0, ROWS_MAX), cut: cut || wide || rest.length > ROWS_MAX };
}

/** A table of a list of records, or nothing when the value is something else. */
export function tableOf(value: unknown): Table | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) {
    return undefined;
  }
  const records = value.slice(0, ROWS_MAX) as Record<string, unknown>[];
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const columns = names.slice(0, COLUMNS_MAX);
  const rows = records.map((record) => columns.map((column) => cell(record[column])));
  return { columns, rows, cut: value.length > ROWS_MAX || names.length > COLUMNS_MAX };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cell(value: unknown): string {
  if (value === undefined || value === null) {
    return "";
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
