import { expect, fresh, type Hands, PICTURES, test } from "./hands";

/** A class whose values show themselves as a table, as those of pandas do. */
const TABLE = `class Frame:
    def _repr_html_(self):
        return '<table><tr><th></th><th>city</th></tr><tr><th>0</th><td>Oslo <b>x</b></td></tr></table>'
Frame()`;

/** The smallest picture there is. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

class Cells {
  constructor(private readonly hands: Hands) {}

  static async opened(hands: Hands): Promise<Cells> {
    await hands.enter();
    await hands.open("Cells");
    await hands.page.getByLabel("Thread").fill(fresh("cells"));
    return new Cells(hands);
  }

  cell(position: number) {
    return this.hands.page.getByRole("region", { name: `Cell ${position}`, exact: true });
  }

  async write(position: number, code: string): Promise<void> {
    const { page } = this.hands;
    const editor = this.cell(position).locator(".cm-content");
    await editor.waitFor();
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(code);
  }

  /** Writes a cell, runs it, and waits until it was this program of the session. */
  async run(position: number, code: string, number = position): Promise<void> {
    await this.write(position, code);
    await this.hands.page.keyboard.press("Control+Enter");
    await this.ran(position, number);
  }

  async ran(position: number, number: number): Promise<void> {
    await expect(this.cell(position).locator(".cell-number")).toHaveText(`[${number}]`, { timeout: 60_000 });
  }
}

test("cells share their variables and show what each did", async ({ hands }) => {
  const { page } = hands;
  const cells = await Cells.opened(hands);
  await cells.run(1, "import sys\na = 20\nprint('set')\nprint('oops', file=sys.stderr)");
  await expect(cells.cell(1).locator(".out-row.stdout")).toHaveText("set");
  await expect(cells.cell(1).locator(".out-row.stderr")).toHaveText("oops");

  await page.getByRole("button", { name: "Add cell", exact: true }).click();
  await cells.run(2, "a + 1");
  await expect(cells.cell(2).getByRole("region", { name: "The last expression" })).toHaveText("21");

  await cells.run(1, "a = 41\nprint('again')", 3);
  await cells.cell(2).getByRole("button", { name: /^Run/ }).click();
  await cells.ran(2, 4);
  await expect(cells.cell(2).getByRole("region", { name: "The last expression" })).toHaveText("42");

  await page.reload();
  await cells.ran(2, 4);
  await expect(cells.cell(1).locator(".out-row.stdout")).toHaveText("again");
  await expect(cells.cell(2).getByRole("region", { name: "The last expression" })).toHaveText("42");
  await expect(cells.cell(2).locator(".cm-content")).toHaveText("a + 1");
});

test("a value with a table is a table, and a picture is a picture", async ({ hands }) => {
  const { page } = hands;
  const cells = await Cells.opened(hands);
  await cells.run(1, TABLE);
  await expect(cells.cell(1).getByRole("cell", { name: "Oslo x" })).toBeVisible();
  await page.getByRole("button", { name: "Add cell", exact: true }).click();
  await cells.run(
    2,
    `import base64\nclass Picture:\n    def _repr_png_(self):\n        return base64.b64decode('${PNG}')\nPicture()`,
  );
  await expect(cells.cell(2).locator("img.picture")).toBeVisible();
  await page.screenshot({ path: `${PICTURES}/cells.png` });
});

test("a cell that fails says so, and those behind it do not run", async ({ hands }) => {
  const { page } = hands;
  const cells = await Cells.opened(hands);
  await cells.write(1, "import nowhere_to_be_found");
  await page.keyboard.press("Shift+Enter");
  await cells.ran(1, 1);
  await expect(cells.cell(1)).toContainText("ModuleNotFoundError");
  await expect(cells.cell(1)).toContainText("is not installed here");
  await cells.write(2, "print('never')");
  await page.getByRole("button", { name: "Run all" }).click();
  await cells.ran(1, 2);
  await expect(cells.cell(2).locator(".cell-number")).toHaveText("[ ]");
  await expect(cells.cell(2).locator(".out-row")).toHaveCount(0);
});

test("a cell is stopped, and a session ended", async ({ hands }) => {
  const { page } = hands;
  const cells = await Cells.opened(hands);
  await cells.run(1, "kept = 7");
  await page.getByRole("button", { name: "Add cell", exact: true }).click();
  await cells.write(2, "import time\nprint('begun')\ntime.sleep(60)");
  await page.keyboard.press("Control+Enter");
  await expect(cells.cell(2)).toContainText("begun");
  await cells.cell(2).getByRole("button", { name: /^Stop/ }).click();
  await expect(cells.cell(2)).toContainText("was cancelled");

  await page.getByRole("button", { name: "End session" }).click();
  await expect(page.getByText("The session was ended.")).toBeVisible();
  await cells.run(2, "print('kept' in globals())", 1);
  await expect(cells.cell(2).locator(".out-row.stdout")).toHaveText("False");
});

test("markup that a cell shows stays text", async ({ hands }) => {
  const { page } = hands;
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const cells = await Cells.opened(hands);
  const evil = "<img src=x onerror='globalThis.pwned=1;alert(1)'><script>globalThis.pwned=1</script>";
  const html = `<table><tr><th>${evil}a</th></tr><tr><td>${evil}shown</td></tr></table>${evil}`;
  await cells.run(
    1,
    `class Evil:\n    def __repr__(self): return ${JSON.stringify(evil)}\n` +
      `    def _repr_html_(self): return ${JSON.stringify(html)}\nprint(${JSON.stringify(evil)})\nEvil()`,
  );
  await expect(cells.cell(1).getByRole("cell", { name: /shown/ })).toBeVisible();
  await expect(cells.cell(1).locator(".out-row.stdout")).toContainText("<img");
  await expect(cells.cell(1).locator("img, script, iframe")).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
  expect(dialogs).toEqual([]);
});
