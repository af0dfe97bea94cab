import { defineConfig } from "vite";
import { pack } from "./tools/pack";

// The product's build says where the files go; without it they land in `target/site`.
export default defineConfig({
  base: "/",
  build: {
    outDir: process.env.CONSOLE_OUT ?? "target/site",
    emptyOutDir: true,
    target: "es2022",
    rollupOptions: { input: ["index.html", "docs.html"] },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  plugins: [pack()],
});
