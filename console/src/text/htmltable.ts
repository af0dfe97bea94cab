import { COLUMNS_MAX, ROWS_MAX, type Table } from "./csv";

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** The first table of a text in HTML, as rows of plain texts; nothing when it has none. Nothing of it is ever markup. */
export function htmlTable(html: string): Table | undefined {
  const [, body] = /<table\b[^>]*>([\s\S]*?)<\/table>/i.exec(html) ?? [];
  if (body === undefined) {
    return undefined;
  }
  const rows = body
    .split(/<tr\b[^>]*>/i)
    .slice(1)
    .map(cells)
    .filter((row) => row.length > 0);
  const [columns, ...rest] = rows;
  if (columns === undefined) {
    return undefined;
  }
  const cut = rest.length > ROWS_MAX || rows.some((row) => row.length > COLUMNS_MAX);
  return {
    columns: columns.slice(0, COLUMNS_MAX),
    rows: rest.slice(0, ROWS_MAX).map((row) => row.slice(0, COLUMNS_MAX)),
    cut,
  };
}

function cells(row: string): string[] {
  return row
    .split(/<t[hd]\b[^>]*>/i)
    .slice(1)
    .map((cell) => plain(cell.split(/<\/t[hd]>/i)[0] ?? ""));
}

function plain(text: string): string {
  const bare = text.replace(/<[^>]*>/g, "");
  return bare.replace(/&(#?\w{1,8});/g, (whole, name: string) => ENTITIES[name] ?? whole).trim();
}
