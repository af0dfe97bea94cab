import { expect, fresh, PICTURES, test } from "./hands";

test.beforeEach(({ shared }) => shared.at("#/operate"));

test("a key is made, shown once, used and revoked", async ({ shared: { page }, browser }) => {
  const name = fresh("visitor");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: `Key ${name}` });
  const secret = (await shown.getByRole("region", { name: "The new key" }).textContent()) ?? "";
  expect(secret).toMatch(/^ck_/);
  await page.getByRole("button", { name: "Done" }).click();
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

test("revoking the key one is signed in with says so", async ({ shared: { page } }) => {
  const own = page.getByRole("row").filter({ hasText: "you" });
  await own.getByRole("button", { name: /^Revoke/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("This is the key you use now");
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("runners, layers and the doctor's findings are shown", async ({ shared: { page } }) => {
  for (const language of ["Python", "Node.js", "TypeScript", "Bash"]) {
    await expect(page.locator(".columns")).toContainText(language);
  }
  await expect(page.locator(".layers .badge")).toHaveCount(14);
  await page.getByRole("button", { name: "Run checks" }).click();
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
  const ready = page.getByRole("region", { name: "Waiting sandboxes" });
  await expect(ready).toContainText("No sandbox is waiting");
  turn = 1;
  const python = ready.getByRole("meter", { name: "Python" });
  await expect(python).toHaveAttribute("aria-valuetext", "2 of 4 ready");
  await expect(ready).toContainText("97 % warm of 100 starts (3 cold)");
  await expect(ready.getByRole("meter", { name: "Bash" })).toHaveAttribute("aria-valuetext", "none needed");
  await expect(ready).toContainText("no runs yet");
  turn = 2;
  await expect(python).toHaveAttribute("aria-valuetext", "4 of 4 ready");
  await page.unrouteAll({ behavior: "wait" });
});

test("the ledger has the calls", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.execute({ language: "bash", code: "echo recorded" });
  await page.getByRole("button", { name: "Refresh ledger" }).click();
  const ledger = page.getByRole("region", { name: "Ledger entries" });
  await expect(ledger).toContainText("sandbox_execute");
});

test("a program of any key is stopped, and a session is ended", async ({ shared: hands }) => {
  const { page } = hands;
  const thread = fresh("session");
  await hands.execute({ language: "bash", code: "x=1", thread_id: thread, session: true });
  const ended = hands.execute({ language: "bash", code: `sleep 60 # ${thread}` });
  const program = page.getByRole("row", { name: new RegExp(`sleep 60 # ${thread}`) });
  await program.getByRole("button", { name: /^Stop/ }).click();
  await ended;
  await expect(program).toBeHidden();

  const session = page.getByRole("button", { name: `End session of ${thread} in Bash` });
  await session.click();
  await expect(session).toBeHidden();
});

test("disks are shown, and one that is nearly full is told on every page", async ({ shared: hands }) => {
  const { page } = hands;
  await expect(page.getByRole("meter", { name: "Disk of the data directory" })).toHaveAttribute(
    "aria-valuetext",
    /of .* free/,
  );
  const warning = "The disk of the data directory is nearly full.";
  await page.route("**/readyz", (route) =>
    route.fulfill({ json: { status: "ready", isolation: "full", warnings: [warning] } }),
  );
  await page.reload();
  await expect(page.getByRole("alert")).toContainText(warning);
  await hands.open("Files");
  await expect(page.getByRole("alert")).toContainText(warning);
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
});
