import { expect, KEY, test } from "./hands";

test("each client gets its snippet, and the connection is checked for real", async ({ page, hands }) => {
  await hands.signIn();
  await hands.open("Connect");
  const address = new URL("/mcp", page.url()).href;
  await page.getByLabel(/Put my key in/).check();
  for (const client of ["Claude Code", "Claude Desktop", "Cursor", "Windsurf", "VS Code", "Codex", "curl"]) {
    await page.getByRole("tab", { name: client }).click();
    const snippet = page.getByRole("region", { name: `For ${client}` });
    await expect(snippet).toContainText(address);
    await expect(snippet).toContainText(KEY);
  }
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText(/It works: \d+ tools/)).toBeVisible();
  await expect(page.locator(".tools")).toContainText("sandbox_execute");
});
