import { expect, fresh, KEY, test } from "./hands";

test("a wrong key is explained, and after some of them the pause", async ({ page, hands }) => {
  await page.goto("/");
  await expect(page.getByLabel("API key")).toBeFocused();
  const attempt = async () => {
    await page.getByLabel("API key").fill("ck_wrong_key");
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await attempt();
  await expect(page.getByRole("alert")).toContainText("This key is not accepted");
  for (let i = 0; i < 4; i++) {
    await attempt();
    await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
  }
  await expect(page.getByRole("alert")).toContainText(/Too many wrong keys.*Try again in \d+ s/);
  await hands.signIn();
});

test("the key is kept in this tab alone and forgotten when asked", async ({ page, context, hands }) => {
  await hands.signIn();
  const kept = await page.evaluate(() => ({
    session: Object.values(sessionStorage).join(" "),
    local: Object.values(localStorage).join(" "),
    cookies: document.cookie,
  }));
  expect(kept.session).toContain(KEY);
  expect(kept.local + kept.cookies).not.toContain(KEY);
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();

  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByLabel("API key")).toBeVisible();
  await other.close();

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("API key")).toBeVisible();
  expect(await page.evaluate(() => Object.values(sessionStorage).join(" "))).not.toContain(KEY);
});

test("who asks to stay signed in is, in every tab, until signing out", async ({ page, context, hands }) => {
  await page.goto("/");
  await page.getByLabel("Keep me signed in on this browser").check();
  await hands.giveKey();
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("navigation", { name: "Pages" })).toBeVisible();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.close();
  expect(await page.evaluate(() => Object.values(localStorage).join(" "))).not.toContain(KEY);
});

test("a key that is revoked meanwhile leads back to the door", async ({ page, hands }) => {
  const made = await (await hands.ask("POST", "/v1/keys", { name: fresh("short"), scopes: ["run"] })).json();
  await hands.signIn(made.secret);
  await hands.ask("DELETE", `/v1/keys/${made.id}`);
  const door = page.getByLabel("API key");
  const history = page.getByRole("link", { name: "History" });
  const run = page.getByRole("link", { name: "Run", exact: true });
  await expect(async () => {
    if (!(await door.isVisible())) {
      await history.click({ timeout: 1000 });
      await run.click({ timeout: 1000 });
    }
    await expect(door).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole("alert")).toContainText("no longer works");
});

test("a lost connection is shown, and the console recovers by itself", async ({ page, context, hands }) => {
  await hands.signIn();
  await context.setOffline(true);
  await hands.open("History");
  await expect(page.getByText("The connection to the server is lost")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The connection to the server is lost")).toBeHidden();
  await expect(page.getByText("cannot be reached")).toBeHidden();
});
