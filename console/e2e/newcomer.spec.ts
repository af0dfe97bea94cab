import { expect, fresh, test } from "./hands";

const SCOPES = ["run", "files_read", "files_write"];

test("a key that has done nothing yet is told what to do", async ({ page, hands }) => {
  const made = await (await hands.ask("POST", "/v1/keys", { name: fresh("new"), scopes: SCOPES })).json();
  await hands.execute({ language: "bash", code: "echo of another key" });
  await hands.enter(made.secret, "/#/history");
  await expect(page.getByText("This key has not run anything yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Operate" })).toBeHidden();
  await page.getByLabel("Search code").fill("another");
  await expect(page.getByText("No execution matches.")).toBeVisible();

  await hands.open("Files");
  await expect(page.getByText("No files yet.")).toBeVisible();
  await page.getByLabel("Files to upload").setInputFiles({
    name: "first.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("first"),
  });
  await expect(page.getByRole("region", { name: "Files of console" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^first\.txt/ })).toBeVisible();
});
