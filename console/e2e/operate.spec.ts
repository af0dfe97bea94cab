import { expect, fresh, PICTURES, test } from "./hands";

test.beforeEach(({ hands }) => hands.enter(undefined, "/#/operate"));

test("a key is made, shown once, used and revoked", async ({ page, browser }) => {
  const name = fresh("visitor");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Make a key" }).click();
  const secret = (await page.getByRole("region", { name: "The new key" }).textContent()) ?? "";
  expect(secret).toMatch(/^ck_/);
  await page.getByRole("button", { name: "I have it" }).click();
  await page.reload();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toBeVisible();
  await expect(page.getByText(secret)).toBeHidden();

  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto("/");
  await visitor.getByLabel("API key").fill(secret);
  await visitor.getByRole("button", { name: "Sign in" }).click();
  await expect(visitor.getByRole("link", { name: "Run" })).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Operate" })).toBeHidden();
  await context.close();

  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("button", { name: `Revoke ${name}` })).toBeHidden();
});

test("runners, layers and the doctor's findings are shown", async ({ page }) => {
  for (const language of ["python", "node", "typescript", "bash"]) {
    await expect(page.locator(".columns")).toContainText(language);
  }
  await expect(page.locator(".layers .badge")).toHaveCount(13);
  await page.getByRole("button", { name: "Examine" }).click();
  await expect(page.getByText(/\d+ of \d+ checks hold/)).toBeVisible({ timeout: 80_000 });
  expect(await page.locator(".findings li").count()).toBeGreaterThan(10);
});

test("gauges move with what happens", async ({ page, hands }) => {
  const running = page.getByRole("meter", { name: "Running" });
  await expect(running).toHaveAttribute("aria-valuetext", /^[0-3] of/);
  const sleeping = [1, 2, 3, 4].map(() => hands.execute({ language: "bash", code: "sleep 5" }));
  await expect(running).toHaveAttribute("aria-valuetext", /^[4-9] of/);
  await page.screenshot({ path: `${PICTURES}/operate.png` });
  await Promise.all(sleeping);
  await expect(running).toHaveAttribute("aria-valuetext", /^[0-3] of/);
});

test("the ledger has the calls", async ({ page, hands }) => {
  await hands.execute({ language: "bash", code: "echo recorded" });
  await page.getByRole("button", { name: "Load the ledger again" }).click();
  const ledger = page.getByRole("region", { name: "Entries of the ledger" });
  await expect(ledger).toContainText("sandbox_execute");
});
