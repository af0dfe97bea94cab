import { execFileSync } from "node:child_process";
import { expect, fresh, KEY, PICTURES, test } from "./hands";

test("a search that ended early goes on where it ended", async ({ shared: hands }) => {
  const { page } = hands;
  const mark = fresh("early");
  await hands.execute({ language: "bash", code: `echo ${mark}` });
  await hands.open("History");
  await page.route(/\/v1\/executions\?.*q=/, async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get("cursor") === "early") {
      url.searchParams.delete("cursor");
      await route.continue({ url: url.href });
    } else {
      await route.fulfill({ json: { executions: [], next_cursor: "early" } });
    }
  });
  const list = page.getByRole("region", { name: "Executions" });
  await page.getByLabel("Search code").fill(mark);
  await expect(list).toContainText("No match among the newest executions.");
  await list.getByRole("button", { name: "Search older" }).click();
  await expect(list.locator(".side-item")).toHaveCount(1);
  await expect(list).not.toContainText("Nothing");
  await page.unrouteAll({ behavior: "wait" });
});

test("executions are found, opened, copied and run again", async ({ shared: hands }) => {
  const { page } = hands;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const mark = fresh("sales");
  const code = `# ${mark}\nsold = {"north": 412, "south": 386, "west": 274}\nfor region, count in sold.items():\n    print(f"{region:<6}{count:>5}")\nprint("total ", sum(sold.values()))\nresult = sold`;
  const said = "north   412\nsouth   386\nwest    274\ntotal  1072\n";
  await hands.execute({ language: "python", code, thread_id: mark });
  await hands.execute({ language: "bash", code: `echo ${mark}; exit 3` });
  await hands.open("History");

  const items = page.getByRole("region", { name: "Executions" }).locator(".side-item");
  await page.getByLabel("Search code").fill(mark);
  await expect(items).toHaveCount(2);
  await page.getByLabel("Status").selectOption("failed");
  await expect(items).toHaveText([/Bash/]);
  await page.getByLabel("Status").selectOption("");
  await page.getByLabel("Language").selectOption("python");
  await expect(items).toHaveText([/Python/]);

  await items.click();
  await expect(page.getByRole("region", { name: "Program" })).toContainText(mark);
  await expect(page.locator(".output-still")).toContainText("total  1072");
  await expect(page.getByRole("region", { name: "The returned value" })).toContainText('"south": 386');
  await expect(page.locator(".facts")).toContainText(/Start(Warm|Cold)/i);
  await expect(page.getByRole("region", { name: "Envelope" })).toContainText('"memory_peak_bytes"');
  await page.screenshot({ path: `${PICTURES}/history.png` });

  const copied: Record<string, string> = {};
  for (const [name, word] of [
    ["curl", "curl -s"],
    ["MCP call", '"sandbox_execute"'],
    ["Python", "urllib.request"],
  ] as const) {
    await page.getByRole("button", { name: `Copy as ${name}` }).click();
    const taken = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(taken).toContain(word);
    copied[name] = await taken();
  }
  await expect(page.getByRole("button", { name: "Copied" }).last()).toBeVisible();
  const env = { PATH: process.env.PATH ?? "", CAISSON_KEY: KEY };
  const pasted = (program: string, text = "") =>
    execFileSync(program, ["-c", text], { encoding: "utf8", env });
  expect(JSON.parse(pasted("sh", copied.curl)).stdout).toBe(said);
  expect(pasted("python3", copied.Python)).toBe(said);
  const call = await hands.ask("POST", "/mcp", JSON.parse(copied["MCP call"] ?? ""));
  expect((await call.json()).result.structuredContent.stdout).toBe(said);

  await page.getByRole("button", { name: "Run again" }).click();
  await expect(hands.output).toContainText("total  1072");
  await hands.ended();
  await expect(page.getByLabel("Thread")).toHaveValue(mark);
});

test("a run that is over before the page listens is shown as ended", async ({ page, hands }) => {
  // What a page does after it was drawn is done late here: a short program is over by then.
  await page.addInitScript(() => {
    const later = window.setTimeout;
    window.requestAnimationFrame = () => 0;
    window.setTimeout = ((work: () => void, millis = 0) =>
      later(work, Math.max(millis, 700))) as typeof later;
  });
  const { run_id } = await hands.execute({ language: "bash", code: "echo early", thread_id: fresh("early") });
  await hands.enter(undefined, `/#/history/${run_id}`);
  await page.getByRole("button", { name: "Run again" }).click();
  await hands.ended();
});

test("a run with variables is repeated once their values are filled in", async ({ page, hands }) => {
  const mark = fresh("given");
  const { run_id } = await hands.execute({
    language: "bash",
    code: `echo ${mark} $WORD`,
    env_vars: { WORD: "secret" },
    timeout: 7,
  });
  await hands.enter(undefined, `/#/history/${run_id}`);
  await expect(page.getByText("Variables: WORD. Their values are not kept.")).toBeVisible();
  await page.getByRole("button", { name: "Edit and run again" }).click();
  await expect(page.getByLabel("Timeout (s)")).toHaveValue("7");
  await page.getByLabel("Value of variable 1").fill("again");
  await hands.begin();
  await hands.ended();
  await expect(hands.output).toContainText(`${mark} again`);
});

test("an execution that still runs is followed to its end", async ({ shared: hands }) => {
  const { page } = hands;
  const code = `echo ${fresh("slow")}; sleep 2`;
  await hands.start({ language: "bash", code });
  await hands.at("#/history");
  await page.locator(".side-item", { hasText: code }).click();
  await expect(page.locator(".detail")).toContainText("The program is still running.");
  await expect(page.locator(".detail")).toContainText("The program succeeded");
});

test("the last expression and the advice are in the record", async ({ shared: hands }) => {
  const { page } = hands;
  const shown = await hands.execute({ language: "python", code: "40 + 2", display: true });
  await hands.at(`#/history/${shown.execution_id}`);
  await expect(page.getByRole("region", { name: "The last expression" })).toHaveText("42");
  const failed = await hands.execute({ language: "python", code: "import nowhere_to_be_found" });
  await hands.at(`#/history/${failed.execution_id}`);
  await expect(page.getByText("'nowhere_to_be_found' is not installed here")).toBeVisible();
});
