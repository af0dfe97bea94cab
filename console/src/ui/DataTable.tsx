import type { Table } from "../text/csv";
import { plural } from "../text/format";
import { Scroll } from "./Scroll";

/** A table of a file, as text and nothing but text. */
export function DataTable({ name, table }: { name: string; table: Table }) {
  return (
    <Scroll class="table-box" name={`Table of ${name}`}>
      <table class="table">
        <thead>
          <tr>
            {table.columns.map((column, at) => (
              <th key={at} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            <tr key={line}>
              {row.map((value, at) => (
                <td key={at} class={isNumber(value) ? "number" : undefined}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.cut && (
        <p class="faint">The first {plural(table.rows.length, "row")}; download the file for all of them.</p>
      )}
    </Scroll>
  );
}

function isNumber(value: string): boolean {
  return value !== "" && Number.isFinite(Number(value));
}
