// Takes out of the lock file what the lock file itself does not have: optional packages of platforms
// the registry at hand could not describe. `npm ci` refuses a lock file that names them.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const locked = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, "")));
let trimmed = 0;
for (const entry of Object.values(lock.packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!locked.has(name)) {
      delete entry.optionalDependencies[name];
      trimmed += 1;
    }
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${trimmed} absent packages taken out of package-lock.json`);
