import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, fresh, test } from "./hands";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Each page, and what is on it when it is whole. */
const PAGES = {
  Run: ".cm-content",
  Cells: ".cell .cm-content",
  Files: ".tree-row",
  History: ".side-item",
  Tools: ".server",
  Connect: ".snippet",
  Operate: ".table td",
};

// The checker is put into the page, which its policy rightly forbids.
test.use({ bypassCSP: true });

/** The checker's rules that look at colours; dark changes nothing else. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

test("a checker finds no serious barrier, in light and in dark", async ({ page, hands }) => {
  const thread = fresh("axe");
  await hands.execute({ language: "bash", thread_id: thread, code: "echo hi; printf 'a\\n1\\n' > t.csv" });
  const serious = async (where: string, rules: string[]) => {
    await page.evaluate(`globalThis.axe || (() => { ${AXE} })()`);
    const only = rules.length === 0 ? "" : `, runOnly: ${JSON.stringify(rules)}`;
    const results = (await page.evaluate(
      `axe.run(document, { resultTypes: ['violations']${only} })`,
    )) as AxeResults;
    return results.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  };
  const check = async (where: string) => {
    expect(await serious(where, [])).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await serious(`${where}, dark`, OF_COLOURS)).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  };
  // Half-way from one colour to another, contrast says nothing.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await expect(page.getByLabel("API key")).toBeVisible();
  await check("door");
  await hands.giveKey();
  await hands.run("bash", "echo out; echo err >&2; printf 'a\\n1\\n' > t.csv", thread);
  await expect(page.getByRole("region", { name: "Table of t.csv" })).toBeVisible();
  for (const [name, content] of Object.entries(PAGES)) {
    await hands.open(name);
    await page.locator(content).first().waitFor();
    await check(name);
  }
  const code =
    "from servers import desk\ndesk.find_tickets()\ntry:\n    desk.close_ticket(id=7)\nexcept Exception: pass";
  const { run_id } = await hands.execute({ language: "python", code });
  await hands.at(`#/history/${run_id}`);
  const lines = page.locator("button.call-line");
  await expect(lines).toHaveCount(2);
  for (const line of await lines.all()) await line.click();
  await expect(page.locator(".call-detail")).toHaveCount(2);
  await check("calls");
  await hands.at("#/tools/servers%3Adesk");
  await page.locator(".tool-line").first().click();
  await expect(page.locator(".tool-review")).toBeVisible();
  await check("server");
  await hands.at("#/tools/catalogue%3Adesk.slow_count");
  await expect(page.locator(".try-call")).toBeVisible();
  await check("catalogue");
  await page.goto("/v1/docs#execute");
  await expect(page.locator("#execute .snippet").first()).toBeVisible();
  await check("documents");
});

test("no page is wider than a phone", async ({ page, hands }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await hands.enter();
  await hands.run(
    "bash",
    "echo a rather long line of output that does not fit into the width of a phone at all",
  );
  await expect(hands.outcome, "what a run does comes into view").toBeInViewport();
  for (const [name, content] of Object.entries(PAGES)) {
    await hands.open(name);
    await page.locator(content).first().waitFor();
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0], name).toBeLessThanOrEqual(widths[1] ?? 0);
  }
  await page.goto("/v1/docs#execute");
  await expect(page.locator("#execute .snippet").first()).toBeVisible();
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0], "documents").toBeLessThanOrEqual(widths[1] ?? 0);
});

test("everything is reached with the keyboard alone", async ({ page, hands }) => {
  await hands.enter();
  await page.locator(".cm-content").waitFor();
  const reached = new Set<string>();
  await page.locator("body").focus();
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const at = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return (
        at?.getAttribute("aria-label") ??
        at?.closest("label")?.querySelector(".field-name")?.textContent ??
        at?.textContent ??
        ""
      );
    });
    reached.add(name.split("\n")[0]?.trim() ?? "");
    // The editor keeps Tab for indenting; Escape lets the next one leave it.
    if (name === "Program") await page.keyboard.press("Escape");
  }
  for (const name of [
    "Skip to content",
    "Run",
    "Files",
    "Language",
    "Example",
    "Thread",
    "Timeout (s)",
    "Options",
    "Program",
  ]) {
    expect([...reached], name).toContain(name);
  }
  expect([...reached].some((name) => name.startsWith("Run Ctrl"))).toBe(true);
});

test("the first paint comes within a second", async ({ page }) => {
  const times: number[] = [];
  for (let load = 0; load < 3; load++) {
    await page.goto("/");
    await expect(page.getByLabel("API key")).toBeVisible();
    times.push(
      await page.evaluate(
        () =>
          performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY,
      ),
    );
  }
  // The best of some: other programs share the machine.
  expect(Math.min(...times)).toBeLessThan(1000);
});
