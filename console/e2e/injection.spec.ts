import type { Dialog } from "@playwright/test";
import { expect, fresh, type Hands, KEY, settled, test } from "./hands";

/** Whatever runs it, it leaves a mark. */
const SCRIPT = "globalThis.pwned=1;alert(1)";
const IMG = `<img src=x onerror="${SCRIPT}">`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="${SCRIPT}"/></body></foreignObject></svg>`;

/** A program that writes files, whatever their names and contents. */
const writing = (files: Record<string, string>, more = "") =>
  `import json, os\nfor name, text in json.loads(${JSON.stringify(JSON.stringify(files))}).items():\n` +
  `    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)\n    open(name, "w").write(text)\n${more}`;

const ran = (hands: Hands, code: string, thread?: string) =>
  hands.run("python", code, thread ?? fresh("evil"));

/** Each way shows the hostile text somewhere; the test is that it stays text. */
const WAYS: Record<string, (hands: Hands) => Promise<void>> = {
  "a script element on stdout": async (hands) => {
    await ran(hands, `print('<script>${SCRIPT}</script>')`);
    await expect(hands.output).toContainText("<script>");
  },
  "an image with a handler on stdout": async (hands) => {
    await ran(hands, `print(${JSON.stringify(IMG)})`);
    await expect(hands.output).toContainText("<img");
  },
  "markup on stderr": async (hands) => {
    await ran(hands, `import sys; print(${JSON.stringify(SVG)}, file=sys.stderr)`);
    await expect(hands.output).toContainText("<svg");
  },
  "a terminal's link to a script": async (hands) => {
    await ran(hands, `print('\\x1b]8;;javascript:${SCRIPT}\\x1b\\\\click me\\x1b]8;;\\x1b\\\\')`);
    await expect(hands.output).toContainText("click me");
    await expect(hands.output.locator("a")).toHaveCount(0);
  },
  "a colour that is a style": async (hands) => {
    await ran(hands, `print('\\x1b[38;2;1;2;3;"onmouseover=${SCRIPT}"mcolour\\x1b[0m')`);
    await expect(hands.output).toContainText("colour");
  },
  "a sequence that hides its end": async (hands) => {
    await ran(hands, `print('\\x1b[31\\x1b[m<b>${IMG}\\x9b0m')`);
    await expect(hands.output).toContainText("<b>");
  },
  "text that changes its direction": async (hands) => {
    await ran(hands, `print('\\u202e>tpircs<${IMG}')`);
    await expect(hands.output).toContainText("<img");
  },
  "the text of an exception": async (hands) => {
    await ran(hands, `raise ValueError(${JSON.stringify(IMG)})`);
    await expect(hands.output).toContainText("<img");
    await expect(hands.outcome).toContainText("Failed");
  },
  "the value of the result": async (hands) => {
    await ran(hands, `result = {${JSON.stringify(IMG)}: ${JSON.stringify(SVG)}}\nprint('ok')`);
    await expect(hands.output).toContainText("ok");
  },
  "the name of a file": async (hands) => {
    const name = "<img src=x onerror=globalThis.pwned=1>.txt";
    const thread = fresh("evil");
    await ran(hands, writing({ [name]: "x" }), thread);
    await expect(hands.page.getByRole("region", { name: "Files of the run" })).toContainText("<img");
    await hands.at(`#/files/${thread}`);
    await hands.page.getByRole("button", { name: /^<img/ }).click();
    await expect(hands.page.locator(".files-preview")).toContainText("x");
  },
  "the name of a directory": async (hands) => {
    const thread = fresh("evil");
    await ran(hands, writing({ '"><svg onload=pwned=1>/leaf.txt': "leaf" }), thread);
    await hands.at(`#/files/${thread}`);
    await hands.page.getByRole("button", { name: /^"><svg/ }).click();
    await expect(hands.page.getByRole("button", { name: /^leaf/ })).toBeVisible();
  },
  "an SVG with scripts, shown as a picture": async (hands) => {
    await ran(hands, writing({ "evil.svg": SVG }));
    await expect(hands.page.locator("img.picture")).toHaveCount(1);
  },
  "a page that says it is a picture": async (hands) => {
    await ran(hands, writing({ "evil.png": `<html>${IMG}<script>${SCRIPT}</script>` }));
    await expect(hands.page.getByText("This is not a picture")).toBeVisible();
  },
  "a page among the files": async (hands) => {
    const thread = fresh("evil");
    await ran(hands, writing({ "page.html": `<script>${SCRIPT}</script>${IMG}` }), thread);
    await hands.at(`#/files/${thread}`);
    await hands.page.getByRole("button", { name: /^page\.html/ }).click();
    await expect(hands.page.getByRole("region", { name: "Text of page.html" })).toContainText("<script>");
  },
  "cells of a CSV file": async (hands) => {
    await ran(
      hands,
      writing({
        "t.csv": `${IMG},=cmd|' /C calc'!A0\n<script>${SCRIPT}</script>,"${SVG.replaceAll('"', '""')}"\n`,
      }),
    );
    await expect(hands.page.getByRole("region", { name: "Table of t.csv" })).toContainText("<script>");
  },
  "names and values of a JSON file": async (hands) => {
    const rows = `[{"${IMG.replaceAll('"', "'")}": "<script>${SCRIPT}</script>", "__proto__": {"x": "${"<b>"}"}}]`;
    await ran(hands, writing({ "t.json": rows }));
    await expect(hands.page.getByRole("region", { name: "Table of t.json" })).toContainText("<script>");
  },
  "the program itself, in the history": async (hands) => {
    const mark = fresh("mark");
    await hands.execute({ language: "python", code: `# ${mark} ${IMG}</pre><script>${SCRIPT}</script>\n` });
    await hands.open("History");
    await hands.page.getByLabel("Search code").fill(mark);
    await hands.page.locator(".side-item").filter({ hasText: mark }).click();
    await expect(hands.page.getByRole("region", { name: "Program" })).toContainText("<script>");
  },
  "metadata of a run": async (hands) => {
    const mark = fresh("mark");
    await hands.execute({
      language: "bash",
      code: `echo ${mark}`,
      metadata: { [IMG]: `</pre><script>${SCRIPT}</script>` },
    });
    await hands.open("History");
    await hands.page.getByLabel("Search code").fill(mark);
    await hands.page.locator(".side-item").filter({ hasText: mark }).click();
    await expect(hands.page.getByRole("region", { name: "Envelope" })).toBeVisible();
  },
  "what a tool of another server says": async (hands) => {
    const code =
      "from servers import desk\ndesk.find_tickets()\ntry:\n    desk.broken_report()\nexcept Exception: pass";
    const { run_id } = await hands.execute({ language: "python", code });
    await hands.at(`#/history/${run_id}`);
    for (const [number, word] of [
      [1, "globalThis.pwned"],
      [2, "<img"],
    ] as const) {
      await hands.page.locator(`[data-call="${number}"]`).getByRole("button").first().click();
      const result = hands.page.getByRole("region", { name: `Result of call ${number}` });
      await expect(result).toContainText(word);
    }
  },
  "the address of the page": async (hands) => {
    await hands.at(`#/files/${encodeURIComponent(IMG + fresh("none"))}`);
    await expect(hands.page.getByText(/There is no thread/)).toContainText("<img");
    await hands.at(`#/history/${encodeURIComponent(`"><script>${SCRIPT}</script>`)}`);
    await expect(hands.page.getByRole("alert")).toBeVisible();
    await hands.at(`#javascript:${SCRIPT}`);
  },
  "the name of a thread": async (hands) => {
    await hands.run("bash", "echo x > x.txt", IMG.slice(0, 64));
    await hands.open("Files");
    await expect(hands.page.getByRole("navigation", { name: "Threads" })).toContainText("<img");
  },
};

for (const [way, attempt] of Object.entries(WAYS)) {
  test(`no script runs by way of ${way}`, async ({ shared: hands }) => {
    const { page } = hands;
    const dialogs: string[] = [];
    const dismiss = (dialog: Dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    };
    page.on("dialog", dismiss);
    await attempt(hands);
    await settled(page);
    page.off("dialog", dismiss);
    expect(await page.evaluate(() => (globalThis as { pwned?: number }).pwned)).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(await page.locator("script").count(), "scripts of the page").toBe(1);
  });
}

test("a file that is opened by its link runs no script and cannot reach the key", async ({
  shared: hands,
}) => {
  const thread = fresh("evil");
  const theft = `<script>globalThis.pwned=Object.values(sessionStorage).join()||1</script>`;
  await ran(hands, writing({ "page.html": theft, "pic.svg": SVG }), thread);
  for (const path of ["page.html", "pic.svg"]) {
    const link = await (
      await hands.ask("POST", "/v1/files/download", { source: "thread", id: thread, path })
    ).json();
    const tab = await hands.page.context().newPage();
    await tab.goto(link.url).catch(() => undefined);
    await settled(tab);
    expect(await tab.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
    await tab.close();
  }
});

test("the browser itself refuses what the page would have let through", async ({ shared: hands }) => {
  const tried = await hands.page.evaluate(async () => {
    // The tools of developers may evaluate anything; what they leave for later may not.
    await new Promise((resolve) => setTimeout(resolve));
    const worked: string[] = [];
    const attempt = (name: string, act: () => void) => {
      try {
        act();
        worked.push(name);
      } catch {
        // Refused, as it should be.
      }
    };
    attempt("markup from text", () => {
      document.createElement("div").innerHTML = "<b>x</b>";
    });
    attempt("code from text", () => new Function("return 1")());
    attempt("a script element", () => {
      const script = document.createElement("script");
      script.text = "globalThis.pwned = 1";
      document.head.append(script);
    });
    await fetch("https://example.com/", { mode: "no-cors" }).then(
      () => worked.push("another server"),
      () => undefined,
    );
    return { worked, pwned: (globalThis as { pwned?: number }).pwned };
  });
  expect(tried).toEqual({ worked: [], pwned: undefined });
});

test("at least fifteen ways were tried", () => {
  expect(Object.keys(WAYS).length).toBeGreaterThanOrEqual(15);
  expect(KEY).not.toBe("");
});
