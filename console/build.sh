#!/bin/sh
# Builds the console, with what the lock file names, for the server to serve.
# Usage: build.sh DIRECTORY
#
# Without a Node that can build it there is no console, and the server says so at its address.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
if ! command -v npm >/dev/null || ! node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'; then
    echo "There is no Node 20.19 or later with npm: the server will have no console." >&2
    exit 0
fi

cd "$here"
node tools/wire-types.mjs
sources=$(find index.html docs.html package-lock.json tsconfig.json vite.config.ts build.sh public src tools -type f |
    LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d ' ' -f 1)
built=target/built
if [ -f "$out/files.txt" ] && [ "$(cat "$built" 2>/dev/null)" = "$sources $out" ]; then
    exit 0
fi
mkdir -p target
sh "$here/install.sh" --omit=dev
CONSOLE_OUT="$out" node node_modules/vite/bin/vite.js build --logLevel warn
printf '%s' "$sources $out" >"$built"
