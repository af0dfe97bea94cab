import { describe, expect, test } from "vitest";
import { COLUMNS_MAX, ROWS_MAX, readCsv, tableOf } from "../src/text/csv";

describe("tables", () => {
  test("quotes, separators and line ends are read as they are meant", () => {
    expect(readCsv('a,b\r\n"x, ""y""\nz",2\n')).toEqual({
      columns: ["a", "b"],
      rows: [['x, "y"\nz', "2"]],
      cut: false,
    });
  });

  test.each([";", "\t"])("another separator is noticed: %j", (separator) => {
    expect(readCsv(`a${separator}b\n1${separator}2`).rows).toEqual([["1", "2"]]);
  });

  test("an empty value at the end is a value", () => {
    expect(readCsv("a,b\n1,").rows).toEqual([["1", ""]]);
  });

  test("markup stays text", () => {
    expect(readCsv("a\n<script>alert(1)</script>").rows).toEqual([["<script>alert(1)</script>"]]);
  });

  test("the first rows and columns are shown, and that there are more", () => {
    const long = readCsv(`n\n${"1\n".repeat(ROWS_MAX + 1)}`);
    expect(long.rows).toHaveLength(ROWS_MAX);
    expect(long.cut).toBe(true);
    expect(readCsv(`n\n${"1\n".repeat(ROWS_MAX)}`).cut).toBe(false);
    const wide = readCsv(`${"c,".repeat(COLUMNS_MAX)}c\n`);
    expect(wide.columns).toHaveLength(COLUMNS_MAX);
    expect(wide.cut).toBe(true);
  });

  test("the last row of a part is left out, because it may be cut", () => {
    expect(readCsv("a,b\n1,2\n3,", false)).toEqual({ columns: ["a", "b"], rows: [["1", "2"]], cut: true });
  });

  test("a quote that never ends takes the rest and no more", () => {
    expect(readCsv('a\n"never').rows).toEqual([["never"]]);
  });

  test("a list of records is a table, anything else is not", () => {
    expect(tableOf([{ a: 1 }, { b: { c: 2 } }])).toEqual({
      columns: ["a", "b"],
      rows: [
        ["1", ""],
        ["", '{"c":2}'],
      ],
      cut: false,
    });
    for (const other of [undefined, null, 1, {}, [], [1], [[1]], [{ a: 1 }, null]]) {
      expect(tableOf(other)).toBeUndefined();
    }
  });

  test("a record with a hostile name is a record", () => {
    expect(tableOf(JSON.parse('[{"__proto__": "x", "constructor": "y"}]'))?.columns).toEqual([
      "__proto__",
      "constructor",
    ]);
  });
});
