// Writes a bill of materials (CycloneDX 1.6, JSON) of packages that ship: what is installed of a lock
// file and reached from its dependencies.
// Usage: bom.mjs DIRECTORY NAME [PACKAGE...]
//
// DIRECTORY has package-lock.json and node_modules. Each PACKAGE builds and does not ship, and neither
// does what it alone brings along.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [directory, name, ...builders] = process.argv.slice(2);
const lock = JSON.parse(readFileSync(join(directory, "package-lock.json"), "utf8"));
const shipped = new Map();

// As Node looks for a package: beside the one that asks, and then further up.
function find(wanted, from) {
  for (let at = from; ; at = at.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, "")) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${wanted}`;
    if (lock.packages[path] !== undefined || at === "") {
      return path;
    }
  }
}

function ship(wanted, from) {
  const path = find(wanted, from);
  const entry = lock.packages[path];
  if (entry === undefined || shipped.has(path) || !existsSync(join(directory, path))) {
    return;
  }
  shipped.set(path, component(path.replace(/^.*node_modules\//, ""), entry));
  for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
    ship(next, path);
  }
}

function component(named, { version, integrity, license }) {
  const [group, short] = named.startsWith("@") ? named.split("/") : [undefined, named];
  const purl = `pkg:npm/${group === undefined ? "" : `${encodeURIComponent(group)}/`}${short}@${version}`;
  const [algorithm, digest] = (integrity ?? "").split("-");
  return {
    type: "library",
    "bom-ref": purl,
    ...(group && { group }),
    name: short,
    version,
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
    ...(license && { licenses: [{ expression: license }] }),
    purl,
  };
}

for (const wanted of Object.keys(lock.packages[""].dependencies ?? {})) {
  if (!builders.includes(wanted)) {
    ship(wanted, "");
  }
}
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", "bom-ref": name, name } },
  components: [...shipped.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
};
console.log(JSON.stringify(bom, null, 2));
