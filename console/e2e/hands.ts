import {
  type APIRequestContext,
  type APIResponse,
  type Browser,
  test as base,
  expect,
  type Page,
} from "@playwright/test";

/** The key of an administrator, from whoever started the server. */
export const KEY = process.env.CAISSON_KEY ?? "";

/** Pictures of the console, kept as output of the build. */
export const PICTURES = process.env.CONSOLE_PICTURES ?? "target/screenshots";

let last = 0;

/** A name nobody else uses, for a thread or a key. */
export function fresh(name: string): string {
  return `${name}-${Date.now().toString(36)}${(last++).toString(36)}`;
}

/** What a person does at the console. */
export class Hands {
  constructor(
    readonly page: Page,
    private readonly request: APIRequestContext,
  ) {}

  async signIn(key = KEY, at = "/"): Promise<void> {
    await this.page.goto(at);
    await this.giveKey(key);
  }

  /** At the door. */
  async giveKey(key = KEY): Promise<void> {
    await this.page.getByLabel("API key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await expect(this.page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  }

  /** Comes in as after a reload, without the door. */
  async enter(key = KEY, at = "/"): Promise<void> {
    await this.page.addInitScript(
      (kept) => sessionStorage.getItem("caisson.key") ?? sessionStorage.setItem("caisson.key", kept),
      key,
    );
    await this.page.goto(at);
    await expect(this.page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  }

  /** Goes to another place of the console without loading it again. */
  async at(hash: string): Promise<void> {
    await this.page.evaluate((place) => {
      location.hash = place;
    }, hash);
  }

  async open(page: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: page }).click();
  }

  /** Writes a program into the editor. */
  async write(language: string, code: string, thread = fresh("own")): Promise<void> {
    await this.page.locator(".cm-content").waitFor();
    await this.page.getByLabel("Language").selectOption(language);
    await this.page.getByLabel("Thread").fill(thread);
    await this.page.locator(".cm-content").click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(code);
  }

  /** Takes an example into the editor. */
  async example(language: string, title: string): Promise<void> {
    await this.page.locator(".cm-content").waitFor();
    await this.page.getByLabel("Language").selectOption(language);
    await this.page.getByLabel("Example").selectOption({ label: title });
  }

  /** Runs a program and waits for its end. */
  async run(language: string, code: string, thread = fresh("own")): Promise<void> {
    await this.write(language, code, thread);
    await this.begin();
    await this.ended();
  }

  /** Has the program of the editor run, and waits until what is shown is of that run. */
  async begin(): Promise<void> {
    const before = await this.outcome.getAttribute("data-run");
    await this.page.keyboard.press("Control+Enter");
    if (before !== null) {
      await expect(this.outcome).not.toHaveAttribute("data-run", before);
    }
  }

  async ended(): Promise<void> {
    await expect(this.outcome).toHaveAttribute("data-phase", "ended", { timeout: 60_000 });
  }

  get outcome() {
    return this.page.locator(".outcome");
  }

  get output() {
    return this.page.getByRole("region", { name: "Output", exact: true });
  }

  /** Asks the server directly, for what must be there before a test begins. */
  async ask(
    method: string,
    path: string,
    data?: unknown,
    more: Record<string, string> = {},
  ): Promise<APIResponse> {
    const headers = { Authorization: `Bearer ${KEY}`, ...more };
    const answer = await this.request.fetch(path, {
      method,
      headers,
      ...(data === undefined ? {} : { data }),
    });
    expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBeLessThan(300);
    return answer;
  }

  /** Has a program run without the console. */
  async execute(program: Record<string, unknown>): Promise<Record<string, unknown>> {
    return (await this.ask("POST", "/v1/sandbox/execute", program)).json();
  }

  /** Has a program begin without the console, and does not wait for its end. */
  async start(program: Record<string, unknown>): Promise<void> {
    await this.ask("POST", "/v1/sandbox/execute", program, { Prefer: "respond-async" });
  }
}

/**
 * A page that tests of one worker use after one another, signed in as an administrator: coming in takes
 * longer than most of what they do. After a test that failed it is made anew.
 */
class Room {
  private page: Page | undefined;

  constructor(private readonly browser: Browser) {}

  async open(url: string, request: APIRequestContext): Promise<Page> {
    if (this.page === undefined) {
      const viewport = { width: 1280, height: 800 };
      const context = await this.browser.newContext({ baseURL: url, viewport });
      this.page = await context.newPage();
      await new Hands(this.page, request).enter();
    }
    return this.page;
  }

  async close(): Promise<void> {
    await this.page?.context().close();
    this.page = undefined;
  }
}

/** A test with hands; it fails when the page reports an error of its own. */
export const test = base.extend<
  {
    /** At a page of their own. */
    hands: Hands;
    /** At a page others used before; its draft has no options. */
    shared: Hands;
  },
  { room: Room }
>({
  hands: async ({ page, request }, use) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await use(new Hands(page, request));
    expect(faults, "errors of the page").toEqual([]);
  },
  room: [
    async ({ browser }, use) => {
      const room = new Room(browser);
      await use(room);
      await room.close();
    },
    { scope: "worker" },
  ],
  shared: async ({ room, request, baseURL }, use, info) => {
    const page = await room.open(baseURL ?? "", request);
    const faults: string[] = [];
    const note = (error: Error) => faults.push(error.message);
    page.on("pageerror", note);
    const hands = new Hands(page, request);
    await page.bringToFront();
    await hands.at("#/run");
    await use(hands);
    // Nothing of the page is left for the next test but its draft.
    await hands.at("#/connect");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect");
    page.off("pageerror", note);
    if (info.status !== info.expectedStatus || faults.length > 0) {
      await page.screenshot({ path: info.outputPath("shared.png") });
      await room.close();
    }
    expect(faults, "errors of the page").toEqual([]);
  },
});

/**
 * Comes back when every picture the page has begun to fetch has failed or appeared, and what they set off
 * has happened: one that is asked for now and fails is later than they.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const probe = new Image();
        probe.onerror = () => setTimeout(resolve);
        probe.src = `/none-${performance.now()}.png`;
      }),
  );
}

export { expect };
