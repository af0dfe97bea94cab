import { expect, KEY, test } from "./hands";

test("each client gets its snippet, and the connection is checked for real", async ({ page, hands }) => {
  await hands.signIn();
  await hands.open("Connect");
  const address = new URL("/mcp", page.url()).href;
  const clients = [
    "Claude Desktop",
    "Cursor",
    "Windsurf",
    "VS Code",
    "Codex",
    "Gemini CLI",
    "Zed",
    "opencode",
  ];
  for (const client of [...clients, "Python SDK", "TypeScript SDK", "curl", "Claude Code"]) {
    await page.getByRole("tab", { name: client }).click();
    const snippet = page.getByRole("region", { name: `For ${client}` });
    await expect(snippet).toContainText(address);
    await expect(snippet).toContainText("YOUR_KEY");
  }
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText(/Connected: \d+ tools/)).toBeVisible();
  await expect(page.locator(".tools")).toContainText("sandbox_execute");
});

test("a client gets a key of its own, which may run programs and use files", async ({ page, hands }) => {
  await hands.signIn();
  await hands.open("Connect");
  await page.getByRole("tab", { name: "Cursor" }).click();
  await page.getByRole("button", { name: "Create a key for this client" }).click();
  const snippet = page.getByRole("region", { name: "For Cursor" });
  await expect(snippet).toContainText("Bearer ck_");
  await expect(snippet).not.toContainText(KEY);
  const keys = (await (await hands.ask("GET", "/v1/keys")).json()).keys;
  const made = keys.filter((key: { name: string }) => key.name === "Cursor").pop();
  expect(made.scopes).toEqual(["run", "files_read", "files_write"]);
  expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now());
  await page.getByRole("tab", { name: "Codex" }).click();
  await expect(page.getByRole("region", { name: "For Codex" })).toContainText("YOUR_KEY");
});
