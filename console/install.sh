#!/bin/sh
# Installs what the lock file names, unless it is there already.
# Usage: install.sh [--omit=dev]
#
# Building needs less than testing; what was installed for tests also builds.
set -eu

cd "$(dirname "$0")"
lock=$(sha256sum package-lock.json | cut -d ' ' -f 1)
installed=$(cat node_modules/.installed-by-lock 2>/dev/null || true)
case "$installed" in
"$lock") exit 0 ;;
"$lock --omit=dev") [ "${1:-}" != --omit=dev ] || exit 0 ;;
esac
# No script of a package runs outside a sandbox.
npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error "$@"
printf '%s' "$lock${1:+ $1}" >node_modules/.installed-by-lock
