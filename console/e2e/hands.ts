import { type APIRequestContext, type APIResponse, test as base, expect, type Page } from "@playwright/test";

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

  /** Runs a program and waits for its end. */
  async run(language: string, code: string, thread = fresh("own")): Promise<void> {
    await this.write(language, code, thread);
    await this.page.keyboard.press("Control+Enter");
    await this.ended();
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
  async ask(method: string, path: string, data?: unknown): Promise<APIResponse> {
    const headers = { Authorization: `Bearer ${KEY}` };
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
}

/** A test with hands; it fails when the page reports an error of its own. */
export const test = base.extend<{ hands: Hands }>({
  hands: async ({ page, request }, use) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await use(new Hands(page, request));
    expect(faults, "errors of the page").toEqual([]);
  },
});

export { expect };
