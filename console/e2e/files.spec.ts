import { readFileSync } from "node:fs";
import { expect, fresh, test } from "./hands";

let thread = "";

test.beforeEach(async ({ shared: hands }) => {
  thread = fresh("files");
  await hands.execute({
    language: "bash",
    thread_id: thread,
    code: "mkdir -p deep/er; echo inside > deep/er/leaf.txt; echo hello > note.txt; printf 'a,b\\n1,2\\n' > t.csv",
  });
  await hands.at(`#/files/${thread}`);
  await expect(hands.page.getByRole("region", { name: `Files of ${thread}` })).toBeVisible();
});

test("the tree is opened level by level and files are looked into", async ({ shared: { page } }) => {
  await page.getByRole("button", { name: /^deep/ }).click();
  await page.getByRole("button", { name: /^er/ }).click();
  await page.getByRole("button", { name: /^leaf\.txt/ }).click();
  await expect(page.getByRole("region", { name: "Text of deep/er/leaf.txt" })).toHaveText("inside");
  await page.getByRole("button", { name: /^t\.csv/ }).click();
  await expect(page.getByRole("region", { name: "Table of t.csv" }).getByRole("cell")).toHaveText(["1", "2"]);
  await expect(page.getByRole("meter", { name: "Space" })).toBeVisible();
});

test("files are brought by choosing and by dropping, and taken home again", async ({ shared: { page } }) => {
  await page.getByLabel("Files to upload").setInputFiles({
    name: "chosen.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("chosen words"),
  });
  await page.getByRole("button", { name: /^chosen\.txt/ }).click();
  await expect(page.getByRole("region", { name: "Text of chosen.txt" })).toHaveText("chosen words");

  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["x".repeat(300_000)], "dropped.bin"));
    return transfer;
  });
  await page.getByRole("list", { name: "Files" }).dispatchEvent("drop", { dataTransfer: dropped });
  const progress = page.getByRole("meter", { name: "Uploading dropped.bin" });
  await expect(progress).toHaveAttribute("aria-valuetext", /^[1-9]\d? % of 293 KiB/);
  await expect(page.getByRole("button", { name: /^dropped\.bin/ })).toContainText("293 KiB");
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await network.detach();

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("chosen.txt");
  expect(readFileSync(await saved.path(), "utf8")).toBe("chosen words");
});

test("a program reads what was brought", async ({ shared: hands }) => {
  const { page } = hands;
  await page.getByLabel("Files to upload").setInputFiles({
    name: "in.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("from the browser"),
  });
  await expect(page.getByRole("button", { name: /^in\.txt/ })).toBeVisible();
  await hands.open("Run");
  await hands.run("bash", "cat in.txt", thread);
  await expect(hands.output).toContainText("from the browser");
});

test("a file, a directory and the thread are deleted after a question", async ({ shared: { page } }) => {
  for (const name of ["note.txt", "deep"]) {
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("button", { name: new RegExp(`^${name}`) })).toBeHidden();
  }
  await page.getByRole("button", { name: "Delete thread" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: /^t\.csv/ })).toBeVisible();
  await page.getByRole("button", { name: "Delete thread" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("link", { name: thread })).toBeHidden();
});

test("the whole thread is taken as an archive", async ({ shared: { page } }) => {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download archive" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`${thread}.zip`);
  const bytes = readFileSync(await saved.path());
  expect(bytes.subarray(0, 2).toString()).toBe("PK");
  expect(bytes.includes("deep/er/leaf.txt")).toBe(true);
});
