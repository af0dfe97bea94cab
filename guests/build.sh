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

# The gate is the one part that is compiled. Without it sandboxes do without UNIX sockets, but for pairs.
mkdir -p "$out/gate"
if [ ! "$out/gate/gate" -nt "$here/gate/gate.c" ]; then
    rm -f "$out/gate/gate"
    for compiler in cc gcc clang tcc; do
        if command -v "$compiler" >/dev/null && "$compiler" -O2 -static -o "$out/gate/gate" "$here/gate/gate.c"; then
            break
        fi
    done
    [ -x "$out/gate/gate" ] ||
        echo "no C compiler could build the gate: programs will have no UNIX sockets but pairs." >&2
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
