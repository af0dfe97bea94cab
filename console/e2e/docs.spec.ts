import { expect, KEY, test } from "./hands";

test("the documents of REST are read without a key, and load nothing from elsewhere", async ({
  page,
  hands,
}) => {
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const answer = await page.goto("/v1/docs");
  expect(answer?.headers()["content-security-policy"]).toContain("default-src 'none'");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("REST");
  const routes = Object.values((await (await hands.ask("GET", "/v1/openapi.json")).json()).paths).flatMap(
    (methods) => Object.keys(methods as object),
  ).length;
  await expect(page.locator(".operation")).toHaveCount(routes);
  await expect(page.getByRole("status").first()).toHaveText(`${routes} routes`);
  for (const topic of ["Runs", "Executions", "Threads", "Files", "Volumes", "Keys"]) {
    await expect(page.getByRole("region", { name: topic, exact: true })).toBeVisible();
  }
  expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([new URL(page.url()).origin]));
  expect(complaints).toEqual([]);
});

test("a route says what it takes and gives, and its command works", async ({ page, hands, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/v1/docs#execute");
  const route = page.locator("#execute");
  await expect(route.getByText("Needs a key with the scope run.")).toBeVisible();
  await expect(route.locator(".schema-name", { hasText: "thread_id" }).first()).toBeVisible();
  await expect(route.locator(".status", { hasText: "429" })).toBeVisible();
  await route
    .locator(".snippet", { has: page.getByRole("region", { name: "curl for execute" }) })
    .getByRole("button", { name: "Copy" })
    .click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${new URL(page.url()).origin}/v1/sandbox/execute`);
  expect(command).not.toContain(KEY);
  const body = JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? "");
  expect(await hands.execute(body)).toMatchObject({ status: "success", stdout: "42\n" });
});

test("routes are found by words and by name", async ({ page, hands }) => {
  await hands.signIn();
  await hands.open("Connect");
  await page.getByRole("link", { name: "REST" }).click();
  await expect(page).toHaveURL(/\/v1\/docs$/);
  await page.getByLabel("Search the routes").fill("thread events");
  await expect(page.locator(".operation")).toHaveCount(1);
  await page.getByLabel("Search the routes").fill("nothing like this");
  await expect(page.getByText("0 routes")).toBeVisible();
  await page.getByLabel("Search the routes").fill("");
  await page
    .getByRole("navigation", { name: "Routes" })
    .getByRole("link", { name: "createKey", exact: true })
    .click();
  await expect(page.locator("#createKey .operation-body")).toBeInViewport();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Console" }).click();
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
});
