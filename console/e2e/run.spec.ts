import { expect, fresh, PICTURES, test } from "./hands";

const PROGRAMS = [
  ["python", "import sys; print('sum', 1 + 2); print('oops', file=sys.stderr)"],
  ["node", "console.log('sum', 1 + 2); console.error('oops')"],
  ["typescript", "const n: number = 3; console.log('sum', n); console.error('oops')"],
  ["bash", "echo sum $((1 + 2)); echo oops >&2"],
] as const;

for (const [language, code] of PROGRAMS) {
  test(`${language} runs, and its two streams are told apart`, async ({ shared: hands }) => {
    const { page } = hands;
    await hands.run(language, code);
    await expect(hands.outcome).toContainText("Succeeded");
    for (const fact of ["Exit code", "Duration", "CPU time", "Memory", /(Warm|Cold) \(/]) {
      await expect(hands.outcome).toContainText(fact);
    }
    await expect(hands.output.locator(".out-row.stdout")).toHaveText("sum 3");
    await expect(hands.output.locator(".out-row.stderr")).toHaveText("oops");
    await page.getByRole("tab", { name: "stderr" }).click();
    await expect(hands.output.locator(".out-row")).toHaveCount(1);
  });
}

test("what is chosen and typed faster than the page is drawn counts", async ({ page, hands }) => {
  await hands.enter();
  await page.locator(".cm-content").waitFor();
  // All of it between two frames.
  await page.evaluate(async () => {
    const choose = async (name: string, value: string) => {
      const label = [...document.querySelectorAll("label")].find((one) => one.textContent?.startsWith(name));
      const choice = label?.querySelector("select") as HTMLSelectElement;
      choice.value = value;
      choice.dispatchEvent(new Event("change", { bubbles: true }));
      await Promise.resolve();
    };
    await choose("Language", "node");
    await choose("Language", "bash");
    await choose("Example", "Draw a chart");
  });
  await expect(page.getByLabel("Example")).toHaveValue("Draw a chart");
  await expect(page.locator(".cm-content")).toContainText("Draws a bar chart");

  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.evaluate(async () => {
    for (const letter of "echo typed") {
      document.execCommand("insertText", false, letter);
      await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
    }
  });
  await expect(page.locator(".cm-content")).toHaveText("echo typed");
  await hands.begin();
  await hands.ended();
  await expect(hands.output).toContainText("typed");
});

test("output is shown while the program runs", async ({ shared: hands }) => {
  await hands.example("python", "Stream colours and progress");
  await hands.begin();
  await expect(hands.output).toContainText("10 %");
  await expect(hands.outcome).toHaveAttribute("data-phase", "running");
  await hands.ended();
  await expect(hands.output).toContainText("100 %");
});

test("Escape stops a program", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.write("bash", "echo begun; sleep 60; echo never");
  await hands.begin();
  await expect(hands.output).toContainText("begun");
  await page.keyboard.press("Escape");
  await hands.ended();
  await expect(hands.outcome).toContainText("was cancelled");
  await expect(hands.output).not.toContainText("never");
});

test("endings are told in words", async ({ page, hands }) => {
  await hands.enter();
  await hands.run("bash", "exit 7");
  await expect(hands.outcome).toContainText("exit code 7");
  await expect(page.getByText("The program printed nothing.")).toBeVisible();
  await hands.run("python", "kept = b'x' * (1 << 40)", "");
  await expect(hands.outcome).toContainText("exit code 1");
  await hands.run("python", "kept = []\nwhile True: kept.append(b'x' * (16 << 20))", "");
  await expect(hands.outcome).toContainText(/Out of memory.*needed more than \d+ MiB/);
  await page.getByLabel("Timeout (s)").fill("1");
  await hands.run("bash", "sleep 30");
  await expect(hands.outcome).toContainText(/Timed out.*stopped after 1 s, its time limit/);
});

test("what a program hands back as data is shown as data", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.run("python", "result = {'answer': sum(range(101))}");
  await expect(page.getByRole("region", { name: "The returned value" })).toHaveText(/"answer": 5050/);
  await hands.run("python", "result = [{'city': 'Oslo', 'people': 709037}, {'city': 'Bern'}]");
  const table = page.getByRole("region", { name: "Table of the returned value" });
  await expect(table.getByRole("cell", { name: "709037" })).toBeVisible();
  await hands.run("python", "print('nothing more')");
  await expect(page.getByRole("region", { name: "Returned value" })).toBeHidden();
});

test("colours are shown and nothing else of the terminal", async ({ shared: hands }) => {
  await hands.run("bash", String.raw`printf '\033[31mred\033[0m \033]0;title\007plain\n'`);
  await expect(hands.output).toContainText("red plain");
  await expect(hands.output).not.toContainText("title");
  const colour = (text: string) =>
    hands.output.getByText(text, { exact: true }).evaluate((span) => getComputedStyle(span).color);
  expect(await colour("red")).not.toBe(await colour("plain"));
});

test("environment variables reach the program", async ({ page, hands }) => {
  await hands.enter();
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByRole("button", { name: "Add variable" }).click();
  await page.getByLabel("Name of variable 1").fill("greeting");
  await page.getByLabel("Value of variable 1").fill("hello there");
  await hands.run("bash", 'echo "got $GREETING"');
  await expect(hands.output).toContainText("got hello there");
});

test("variables survive in a session, until it begins anew", async ({ page, hands }) => {
  await hands.enter();
  const thread = fresh("session");
  await page.locator(".cm-content").waitFor();
  await page.getByLabel("Thread").fill(thread);
  await page.getByRole("button", { name: "Options" }).click();
  await page.getByLabel(/Keep the interpreter running/).check();
  await hands.run("python", "x = 41", thread);
  await hands.run("python", "print('x is', x + 1)", thread);
  await expect(hands.output).toContainText("x is 42");
  await page.getByLabel(/Start a new session/).check();
  await hands.run("python", "print('x' in globals())", thread);
  await expect(hands.output).toContainText("False");
  await expect(page.getByLabel(/Start a new session/)).not.toBeChecked();
});

test("the chart of the examples appears as a picture", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.example("python", "Draw a chart");
  await page.getByLabel("Thread").fill("week");
  await page.getByRole("button", { name: /^Run / }).click();
  const picture = page.getByRole("img", { name: "week.svg" });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
  await hands.ended();
  await page.screenshot({ path: `${PICTURES}/run.png` });
});

test("charts of the other languages appear, too", async ({ shared: hands }) => {
  const { page } = hands;
  await page.getByLabel("Thread").fill(fresh("charts"));
  for (const [language, file] of [
    ["node", "wave.svg"],
    ["typescript", "shares.svg"],
    ["bash", "bars.svg"],
  ] as const) {
    await hands.example(language, "Draw a chart");
    await hands.begin();
    await hands.ended();
    await expect(hands.outcome).toContainText("Succeeded");
    await expect(page.getByRole("img", { name: file })).toBeVisible();
  }
});

test("tables of CSV and JSON files are shown", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.example("python", "Write CSV and JSON files");
  await page.getByLabel("Thread").fill(fresh("tables"));
  await hands.begin();
  await hands.ended();
  for (const name of ["planets.csv", "planets.json"]) {
    const table = page.getByRole("region", { name: `Table of ${name}` });
    await expect(table.getByRole("cell", { name: "Jupiter" })).toBeVisible();
    await expect(table.getByRole("columnheader", { name: "moons" })).toBeVisible();
  }
});

test("huge output stays smooth, says what was cut and can be read whole", async ({ shared: hands }) => {
  const { page } = hands;
  await hands.run("python", "for i in range(120000): print('line', i)");
  await expect(hands.output).toContainText("line 119999");
  expect(await hands.output.locator(".out-row").count()).toBeLessThan(200);
  const took = await hands.output.evaluate(async (box) => {
    const began = performance.now();
    for (let step = 0; step <= 20; step++) {
      box.scrollTop = (box.scrollHeight * step) / 20;
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
  });
  expect(took, "milliseconds for 20 jumps through it").toBeLessThan(10_000);
  await hands.output.evaluate((box) => {
    box.scrollTop = 0;
  });
  await expect(hands.output).toContainText("line 0");
  await hands.output.evaluate((box) => {
    box.scrollTop = 20_000 * 20 - 100;
  });
  await expect(hands.output).toContainText(/lines not shown here/);

  await page.getByRole("button", { name: "View all output" }).click();
  const whole = page.getByRole("region", { name: "All of stdout" });
  await expect(whole.locator(".out-row").first()).toBeInViewport();
  await expect(whole).toContainText("line 0");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText(/from byte [1-9]/)).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as file" }).click();
  const saved = await (await saving).createReadStream();
  let text = "";
  for await (const piece of saved) text += piece;
  expect(text.trimEnd().split("\n")).toHaveLength(120_000);
});

test("a run goes on while the page is reloaded and is taken up again", async ({ page, hands }) => {
  await hands.enter();
  const code = "import time\nfor i in range(5):\n    print('tick', i, flush=True)\n    time.sleep(1)";
  await hands.write("python", code);
  await hands.begin();
  await expect(hands.output).toContainText("tick 1");
  await page.reload();
  await expect(hands.outcome).toContainText("Reconnected");
  await hands.ended();
  await expect(hands.output.locator(".out-row")).toHaveText([0, 1, 2, 3, 4].map((i) => `tick ${i}`));
  await expect(page.locator(".cm-content")).toContainText("tick");
});

test("a run goes on through a lost connection without a gap", async ({ page, context, hands }) => {
  await hands.enter();
  await hands.write(
    "python",
    "import time\nfor i in range(4):\n    print('tock', i, flush=True)\n    time.sleep(1)",
  );
  await hands.begin();
  await expect(hands.output).toContainText("tock 0");
  await context.setOffline(true);
  const gone = await page.evaluate(() =>
    fetch("/healthz").then(
      () => false,
      () => true,
    ),
  );
  expect(gone).toBe(true);
  await context.setOffline(false);
  await hands.ended();
  await expect(hands.output.locator(".out-row")).toHaveText([0, 1, 2, 3].map((i) => `tock ${i}`));
});

test("what the server refuses is explained", async ({ page, hands }) => {
  await hands.enter();
  await page.getByLabel("Timeout (s)").fill("9999999");
  await expect(page.getByText("1 to 3600 seconds")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Run/ })).toBeDisabled();
  await hands.write("bash", "echo x");
  await hands.begin();
  await expect(hands.outcome).toHaveAttribute("data-phase", "refused");
  await expect(page.getByRole("alert")).not.toBeEmpty();
});
