import { expect, type Hands, PICTURES, test } from "./hands";

/** Calls of every ending this server has, some at the same time. */
const PROGRAM = `
import asyncio, caisson
from servers import desk

desk.find_tickets({"word": ""})

async def counts():
    await asyncio.gather(desk.slow_count({"seconds": 0.6}), desk.slow_count({"seconds": 0.4}), desk.slow_count({"seconds": 0.8}))

asyncio.run(counts())
for call in (lambda: desk.broken_report(), lambda: desk.close_ticket({"id": 7}), lambda: desk.find_tickets({"word": 3})):
    try:
        call()
    except caisson.ToolError as error:
        print(error.type)
desk.find_tickets(word="Printer")
`;

const made = async (hands: Hands) => {
  const run = await hands.execute({ language: "python", code: PROGRAM });
  expect(run.stdout).toBe("ToolFailed\nDenied\nInvalidArguments\n");
  return run.run_id as string;
};

test("the calls of a program are bars on its time and lines with what was said", async ({
  shared: hands,
}) => {
  const { page } = hands;
  const id = await made(hands);
  await hands.at(`#/history/${id}`);
  const bars = page.getByRole("region", { name: "Timeline of the calls" }).getByRole("button");
  await expect(bars).toHaveCount(8);
  const box = async (name: RegExp) =>
    (await bars.and(page.getByRole("button", { name })).boundingBox()) ?? fail();
  const [second, third] = [await box(/^Call 2:/), await box(/^Call 3:/)];
  expect(third.y, "what goes on at the same time is in another lane").toBeGreaterThan(second.y);
  expect(third.x).toBeLessThan(second.x + second.width);
  expect(second.width, "twice as long, twice as wide").toBeGreaterThan(third.width);

  const outcomes = page.getByRole("list", { name: "Outcomes of the calls" });
  await expect(outcomes).toContainText("5 done");
  await expect(outcomes).toContainText("1 failed");
  await expect(outcomes).toContainText("1 denied");
  await expect(outcomes).toContainText("1 refused");
  await expect(outcomes).toContainText("8 calls");
  const line = (name: RegExp) => page.locator(".call").filter({ hasText: name });
  await line(/close_ticket/)
    .getByRole("button")
    .click();
  await expect(line(/close_ticket/)).toContainText("A rule of this server does not allow the call");
  await line(/broken_report/)
    .getByRole("button")
    .click();
  await expect(line(/broken_report/)).toContainText("The tool answered that it failed.");
  await expect(page.getByRole("region", { name: "Result of call 5" })).toContainText("<img src=x onerror");
  await page.screenshot({ path: `${PICTURES}/calls.png` });
});

test("the keyboard walks along the bars and opens what a call said, as text", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.at(`#/history/${await made(hands)}`);
  const bars = page.getByRole("region", { name: "Timeline of the calls" }).getByRole("button");
  await bars.first().focus();
  await page.keyboard.press("End");
  await expect(bars.last()).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  await expect(bars.first()).toBeFocused();
  await page.keyboard.press("Enter");
  const line = page.locator(".call").first().getByRole("button", { expanded: true });
  await expect(line).toBeFocused();
  const result = page.getByRole("region", { name: "Result of call 1" });
  await expect(result).toContainText('"owner": null');
  await expect(result).toContainText("payU+202EllaU+202C");
  await expect(result.locator("mark")).toHaveCount(4);
  await expect(page.locator(".call").first()).toContainText(/made by line 5 of .*main\.py/);
  await expect(result.locator("img")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(result).toBeHidden();
  expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
});

test("calls that are under way, not sent or of unknown outcome are told apart", async ({ shared: hands }) => {
  const { page } = hands;
  const id = await made(hands);
  const states = [
    { state: "intended", failed: null, result_bytes: null, duration_ms: null },
    { state: "not_sent", failed: true, error: "cancelled", result_bytes: null },
    { state: "unknown", failed: true, error: "refused:outcome_unknown", result_bytes: null },
  ];
  await page.route("**/v1/executions/*/calls?*", async (route) => {
    const answer = await route.fetch();
    const { calls } = await answer.json();
    const shown = states.map((state, at) => ({ ...calls[at + 1], ...state, result: null, arguments: null }));
    const next = route.request().url().includes("cursor=");
    await route.fulfill({ json: { calls: next ? calls : shown, next_cursor: next ? null : "3" } });
  });
  await hands.at(`#/history/${id}`);
  const card = page.locator(".card").filter({ hasText: "Tool calls" });
  for (const word of ["1 under way", "1 not sent", "1 outcome unknown", "the first 3 calls"]) {
    await expect(card).toContainText(word);
  }
  await card.locator(".call").filter({ hasText: "Outcome unknown" }).getByRole("button").click();
  await expect(card).toContainText("nobody knows whether it changed something");
  await expect(card).toContainText("The arguments were not kept.");
  await card.getByRole("button", { name: "Show later calls" }).click();
  await expect(card.locator(".call")).toHaveCount(8);
  await page.unrouteAll({ behavior: "wait" });
});

test("a program without calls says so, and a phone shows the calls of another", async ({ page, hands }) => {
  const none = await hands.execute({ language: "bash", code: "true" });
  const id = await made(hands);
  await page.setViewportSize({ width: 360, height: 740 });
  await hands.enter(undefined, `/#/history/${none.run_id}`);
  await expect(page.locator(".detail")).toContainText("This program called no tools of other servers.");
  await hands.at(`#/history/${id}`);
  await page.locator(".call").first().getByRole("button").click();
  await expect(page.getByRole("region", { name: "Result of call 1" })).toBeVisible();
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  await page.locator(".lanes-box").scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${PICTURES}/calls-phone.png` });
});

function fail(): never {
  throw new Error("it is not shown");
}
