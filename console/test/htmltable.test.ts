import { expect, test } from "vitest";
import { htmlTable } from "../src/text/htmltable";

test("a table becomes rows of plain texts", () => {
  const html =
    '<div><style>x</style><table border="1"><thead><tr style="a"><th></th><th>a</th></tr></thead>' +
    "<tbody><tr><th>0</th><td>1 &lt; 2</td></tr><tr><td><b onclick=x>3</b><img src=x></td></tr></tbody></table></div>";
  expect(htmlTable(html)).toEqual({ columns: ["", "a"], rows: [["0", "1 < 2"], ["3"]], cut: false });
});

test("what has no table has no rows", () => {
  expect(htmlTable("<b>bold</b>")).toBeUndefined();
  expect(htmlTable("<table></table>")).toBeUndefined();
});

test("a long table is cut", () => {
  const table = htmlTable(`<table>${"<tr><td>1</td></tr>".repeat(500)}</table>`);
  expect(table?.rows.length).toBe(200);
  expect(table?.cut).toBe(true);
});
