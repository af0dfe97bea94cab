import { expect, fresh, test } from "./hands";

/** A package of the registry that the server of these tests has. */
const LOCK = "tiny==1.0";

test("a profile is made, changed and removed", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.at("#/operate");
  const name = fresh("small");
  await page.getByRole("button", { name: "New profile" }).click();
  await page.getByLabel("Profile name").fill(name);
  const settings = page.getByLabel("Profile settings (JSON)");
  await settings.fill("{ nonsense");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await settings.fill('{ "cpu": 1 }');
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("alert")).toContainText("cpu");
  await settings.fill(
    '{ "memory_bytes": 67108864, "runs_per_minute": 7, "secret_env_vars": { "TOKEN": "hidden" } }',
  );
  await page.getByRole("button", { name: "Save profile" }).click();
  const row = page.getByRole("region", { name: "Profiles" }).getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("7 runs per minute");
  await expect(row).toContainText("TOKEN");

  await page.getByRole("button", { name: `Edit profile ${name}` }).click();
  await expect(settings).toHaveValue(/keep_secret_env_vars/);
  await expect(settings).not.toHaveValue(/hidden/);
  await settings.fill('{ "runs_per_minute": 8 }');
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(row).toContainText("8 runs per minute");
  await expect(row).not.toContainText("TOKEN");

  await page.getByRole("button", { name: `Remove profile ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(row).toBeHidden();
});

test("an environment is baked, given to a key, chosen for a run and removed", async ({ hands }) => {
  test.slow();
  const { page } = hands;
  await hands.enter(undefined, "/#/operate");
  const name = fresh("own").replace(/[^a-z0-9-]/g, "");
  await page.getByLabel("Environment", { exact: true }).fill(name);
  await page.getByLabel("Python lock").fill(LOCK);
  await page.getByRole("button", { name: "Bake" }).click();
  await expect(page.getByText(`${name}: done`)).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole("listitem").filter({ hasText: name })).toContainText("tiny 1.0");

  const key = fresh("packaged");
  await page.getByLabel("Name", { exact: true }).fill(key);
  await page.getByLabel("Environments", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: new RegExp(key) })).toContainText(name);

  await expect
    .poll(async () => (await (await hands.ask("GET", "/v1/runners")).json()).environments.length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);
  await page.reload();
  await hands.open("Run");
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByLabel("Packages").selectOption(name);
  await hands.run("python", "import tiny\nprint('tiny is', tiny.VERSION)");
  await expect(hands.output).toContainText("tiny is 1.0");

  await hands.open("Operate");
  await page.getByRole("button", { name: `Remove environment ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: `Remove environment ${name}` })).toBeHidden();
});

test("a bake that fails says why", async ({ shared: hands }) => {
  test.slow();
  const { page } = hands;
  await hands.at("#/operate");
  await page.getByLabel("Environment", { exact: true }).fill("bad");
  await page.getByLabel("Python lock").fill("absent-package==9.9");
  await page.getByRole("button", { name: "Bake" }).click();
  await expect(page.getByText(/bad: failed\. The step fetch failed: .*absent-package/)).toBeVisible({
    timeout: 120_000,
  });
  await page.getByLabel("Python lock").fill("--index-url https://elsewhere.example");
  await page.getByRole("button", { name: "Bake" }).click();
  await expect(page.getByRole("alert")).toContainText("Options, addresses and paths are not taken.");
});

test("an image is chosen for a run and finds its own packages", async ({ shared: hands }) => {
  await hands.run("python science", "import imagepack\nprint('from the', imagepack.ORIGIN)");
  await expect(hands.output).toContainText("from the image");
  await hands.run("python", "import imagepack");
  await expect(hands.output).toContainText("ModuleNotFoundError");
});
