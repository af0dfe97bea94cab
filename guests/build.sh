#!/bin/sh
# Puts together what runs inside sandboxes: our guests, and from npm what the lock file names.
# Usage: build.sh DIRECTORY
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out/python" "$out/bash" "$out/node"
cp "$here"/python/*.py "$out/python/"
cp "$here"/bash/*.sh "$out/bash/"
cp "$here"/node/*.cjs "$here"/node/*.mjs "$here"/node/package.json "$here"/node/package-lock.json "$out/node/"

# A guest that is compiled already starts sooner; an interpreter of another version compiles it itself.
if command -v python3 >/dev/null; then
    python3 -m compileall -q --invalidation-mode unchecked-hash -s "$out/python" -p /run/guest/python "$out/python"
fi

cd "$out/node"
if cmp -s package-lock.json node_modules/.installed-by-lock; then
    exit 0
fi
if ! command -v npm >/dev/null; then
    echo "npm is not installed: TypeScript will not be offered." >&2
    exit 0
fi
# No script of a package runs outside a sandbox.
npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
cp package-lock.json node_modules/.installed-by-lock
