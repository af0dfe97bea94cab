import { expect, fresh, PICTURES, test } from "./hands";

test("executions are found, opened, copied and run again", async ({ page, context, hands }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const mark = fresh("needle");
  await hands.execute({ language: "python", code: `print('${mark}')`, thread_id: mark });
  await hands.execute({ language: "bash", code: `echo ${mark}; exit 3` });
  await hands.enter();
  await hands.open("History");

  const items = page.getByRole("region", { name: "Executions" }).locator(".side-item");
  await page.getByLabel("Search the code").fill(mark);
  await expect(items).toHaveCount(2);
  await page.getByLabel("Status").selectOption("failed");
  await expect(items).toHaveCount(1);
  await expect(items).toContainText("bash");
  await page.getByLabel("Status").selectOption("");
  await page.getByLabel("Language").selectOption("python");
  await expect(items).toHaveCount(1);

  await items.click();
  await expect(page.getByRole("region", { name: "Program" })).toContainText(`print('${mark}')`);
  await expect(page.locator(".output-still")).toContainText(mark);
  await expect(page.getByRole("region", { name: "Envelope" })).toContainText("{");
  await page.screenshot({ path: `${PICTURES}/history.png` });

  for (const [name, wanted] of [
    ["Copy as curl", "curl -s"],
    ["Copy as MCP call", '"sandbox_execute"'],
    ["Copy as Python", "urllib.request"],
  ] as const) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByText("Copied")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(wanted);
    expect(copied).toContain(mark);
    await expect(page.getByText("Copied")).toBeHidden();
  }

  await page.getByRole("button", { name: "Run again" }).click();
  await hands.ended();
  await expect(hands.output).toContainText(mark);
  await expect(page.getByLabel("Thread")).toHaveValue(mark);
});

test("the history of one key is not another's", async ({ page, hands }) => {
  const made = await (await hands.ask("POST", "/v1/keys", { name: fresh("other"), scopes: ["run"] })).json();
  await hands.execute({ language: "bash", code: "echo mine alone" });
  await hands.enter(made.secret, "/#/history");
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Operate" })).toBeHidden();
});
