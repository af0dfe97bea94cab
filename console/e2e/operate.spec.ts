import { expect, fresh, PICTURES, test } from "./hands";

test.beforeEach(({ shared }) => shared.at("#/operate"));

test("a key is made, shown once, used and revoked", async ({ shared: { page }, browser }) => {
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

test("runners, layers and the doctor's findings are shown", async ({ shared: { page } }) => {
  for (const language of ["Python", "Node.js", "TypeScript", "Bash"]) {
    await expect(page.locator(".columns")).toContainText(language);
  }
  await expect(page.locator(".layers .badge")).toHaveCount(14);
  await page.getByRole("button", { name: "Examine" }).click();
  await expect(page.getByText(/\d+ of \d+ checks hold/)).toBeVisible({ timeout: 80_000 });
  expect(await page.locator(".findings li").count()).toBeGreaterThan(10);
});

test("gauges move with what happens", async ({ shared: hands }) => {
  const { page } = hands;
  const running = page.getByRole("meter", { name: "Running" });
  await expect(running).toHaveAttribute("aria-valuetext", /^[0-3] of/);
  const sleeping = [1, 2, 3, 4].map(() => hands.execute({ language: "bash", code: "sleep 3" }));
  await expect(running).toHaveAttribute("aria-valuetext", /^[4-9] of/);
  await page.screenshot({ path: `${PICTURES}/operate.png` });
  await Promise.all(sleeping);
  await expect(running).toHaveAttribute("aria-valuetext", /^[0-3] of/);
});

test("the pool is shown for each language, also when nothing waits", async ({ shared: { page } }) => {
  const pools = [
    [],
    [
      { runner: "python", ready: 2, target: 4, hits: 97, misses: 3 },
      { runner: "bash", ready: 0, target: 0, hits: 0, misses: 0 },
    ],
    [{ runner: "python", ready: 4, target: 4, hits: 198, misses: 3 }],
  ];
  let turn = 0;
  await page.route("**/v1/status", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), pool: pools[turn] } });
  });
  const ready = page.getByRole("region", { name: "Sandboxes kept ready" });
  await expect(ready).toContainText("None wait now");
  turn = 1;
  const python = ready.getByRole("meter", { name: "Python" });
  await expect(python).toHaveAttribute("aria-valuetext", "2 of 4 ready");
  await expect(ready).toContainText("97 % warm of 100 starts (3 cold)");
  await expect(ready.getByRole("meter", { name: "Bash" })).toHaveAttribute("aria-valuetext", "none wanted");
  await expect(ready).toContainText("no start yet");
  turn = 2;
  await expect(python).toHaveAttribute("aria-valuetext", "4 of 4 ready");
  await page.unrouteAll({ behavior: "wait" });
});

test("the ledger has the calls", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.execute({ language: "bash", code: "echo recorded" });
  await page.getByRole("button", { name: "Load the ledger again" }).click();
  const ledger = page.getByRole("region", { name: "Entries of the ledger" });
  await expect(ledger).toContainText("sandbox_execute");
});
