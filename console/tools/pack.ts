import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin, ResolvedConfig } from "vite";

/** Compressed twins smaller than this share of the original are worth their place. */
const WORTHWHILE = 0.9;

/**
 * Completes the built site for the server: beside each file its compressed twins (`.br`, `.gz`), and in
 * `files.txt` the list of what there is, one path a line. The server reads nothing that is not listed.
 */
export function pack(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "caisson-pack",
    apply: "build",
    configResolved: (resolved) => {
      config = resolved;
    },
    closeBundle: () => {
      const root = join(config.root, config.build.outDir);
      const out = config.build.outDir.startsWith("/") ? config.build.outDir : root;
      const names = filesBelow(out).sort();
      const listed = names.flatMap((name) => [name, ...compressed(out, name)]);
      writeFileSync(join(out, "files.txt"), `${listed.join("\n")}\n`);
    },
  };
}

function compressed(out: string, name: string): string[] {
  const file = join(out, name);
  const bytes = readFileSync(file);
  const twins: [string, Buffer][] = [
    [".br", brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
    [".gz", gzipSync(bytes, { level: 9 })],
  ];
  return twins
    .filter(([, twin]) => twin.length < bytes.length * WORTHWHILE)
    .map(([suffix, twin]) => {
      writeFileSync(file + suffix, twin);
      return name + suffix;
    });
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((file) => statSync(file).isFile())
    .map((file) => relative(directory, file));
}
