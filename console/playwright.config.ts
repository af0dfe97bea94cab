import { defineConfig } from "@playwright/test";

/**
 * The browser is the system's own Chromium: it comes with the packages of the operating system, so
 * nothing is downloaded. The server is started by whoever runs this and named by its address and key.
 */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "e2e",
  outputDir: "target/e2e",
  // Two busy cores are shared with the sandboxes: two browsers, and patience.
  workers: 2,
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json", { outputFile: process.env.CONSOLE_REPORT ?? "target/e2e.json" }]],
  use: {
    baseURL: process.env.CAISSON_URL ?? "http://127.0.0.1:8080",
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS },
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
  },
});
