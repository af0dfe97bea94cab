#!/bin/sh
# Puts together what runs inside sandboxes: our guests, and from npm what the lock file names.
# Usage: build.sh DIRECTORY
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out/python" "$out/child" "$out/bash" "$out/node"
cp "$here"/python/*.py "$out/python/"
cp "$here"/child/*.py "$out/child/"
cp "$here"/bash/*.sh "$out/bash/"
# Every stub is one file under several names; it goes by the name it is called.
mkdir -p "$out/bin"
cp "$here"/bin/offline.sh "$here"/bin/caisson-call "$out/bin/"
chmod 755 "$out/bin/offline.sh" "$out/bin/caisson-call"
for name in apt apt-get curl git npm npx pip pip-python pip3 pnpm wget yarn; do
    ln -sfn offline.sh "$out/bin/$name"
done
cp "$here"/node/*.cjs "$here"/node/*.mjs "$here"/node/package.json "$here"/node/package-lock.json "$out/node/"

# What programs import to call tools.
rm -rf "$out/lib"
mkdir -p "$out/lib"
cp -r "$here"/lib/python "$here"/lib/node "$out/lib/"
rm -rf "$out/lib/python/caisson/__pycache__"

# A guest that is compiled already starts sooner; an interpreter of another version compiles it itself.
if command -v python3 >/dev/null; then
    for part in python child lib/python; do
        python3 -m compileall -q --invalidation-mode unchecked-hash -s "$out/$part" -p "/run/guest/$part" "$out/$part"
    done
fi

# The gate and the nest are compiled, with all warnings as errors and with what makes mistakes hard to use.
# Sets `strict` for a compiler; false where there is no such one.
harden() {
    command -v "$1" >/dev/null || return 1
    strict="-std=gnu11 -O2 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -fstack-protector-strong"
    strict="$strict -fPIC -Wl,-z,relro,-z,now,-z,noexecstack"
    # What a processor has against jumps to other places than the compiler meant.
    for flag in -fcf-protection=full -mbranch-protection=standard; do
        ! "$1" -Werror "$flag" -E -x c /dev/null >/dev/null 2>&1 || strict="$strict $flag"
    done
}

# Without the gate sandboxes do without UNIX sockets, but for pairs.
mkdir -p "$out/gate"
if [ -n "$(find "$here/gate" "$here/build.sh" -type f -newer "$out/gate/gate" 2>&1)" ]; then
    rm -f "$out/gate/gate"
    for compiler in cc gcc clang; do
        ! harden "$compiler" ||
            ! "$compiler" $strict -D_FORTIFY_SOURCE=2 -static-pie -o "$out/gate/gate" "$here/gate/gate.c" || break
    done
    [ -x "$out/gate/gate" ] ||
        echo "no C compiler could build the gate: programs will have no UNIX sockets but pairs." >&2
fi

# The nest makes sandboxes without starting anything anew; where it cannot be compiled, bubblewrap makes them all.
mkdir -p "$out/nest"
if [ -n "$(find "$here/nest" "$here/gate/restrict.h" "$here/python/ending.c" "$here/build.sh" -type f -newer "$out/nest/nest" 2>&1)" ]; then
    rm -f "$out/nest/"*
    for compiler in cc gcc clang; do
        harden "$compiler" || continue
        # Without a C library of its own the part of the zygote takes that of its interpreter.
        if "$compiler" $strict -D_FORTIFY_SOURCE=2 -static-pie -o "$out/nest/nest" "$here/nest/nest.c" &&
            "$compiler" $strict -shared -nostdlib -o "$out/nest/hatch.so" "$here/nest/zygote.c" &&
            "$compiler" $strict -shared -nostdlib -o "$out/nest/ending.so" "$here/python/ending.c"; then
            break
        fi
        rm -f "$out/nest/"*
    done
    [ -x "$out/nest/nest" ] ||
        echo "no C compiler could build the nest: bubblewrap will make all sandboxes." >&2
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
