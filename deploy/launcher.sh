#!/usr/bin/env bash
#
# Caisson's launcher in a package: starts what was built elsewhere. Beside it are jre/, lib/, guests/ and the start-up
# cache app.aot. It is the same in the archive, wherever that is unpacked, and in the Debian package.

set -euo pipefail

case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in
    *[Uu][Tt][Ff]*8*) ;;
    *) export LC_ALL=C.UTF-8 ;;
esac

root="$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd)"
version="$(cat "$root/VERSION")"
# shellcheck source=java-flags.sh
. "$root/java-flags.sh"

usage() {
    cat <<'TEXT'
Usage: caisson COMMAND [OPTIONS]

  serve         serve MCP over HTTP; prints the URL and, the first time, a key
  stdio         speak MCP on standard input and output, for a local client
  key           create, list and revoke API keys
  profile       show and set what the sandboxes of keys get
  secret        set, list and remove secrets that the server keeps sealed
  upstream      add, review and remove other MCP servers whose tools are called
  policy        show, explain, test and change the rules on calls of tools
  approvals     list, approve and deny calls that wait for a person
  calls         list calls with an unknown outcome, and note whether they happened
  ledger        check and export the record of every call
  thread        say which threads there are, and show their files
  environment   make packages ready for programs, list and remove them
  backup        copy everything that is kept while the server runs
  restore       put such a copy into an empty data directory
  config        print the configuration in force and where each value came from
  doctor        check this machine and say what holds
  service       install, remove or show the systemd service

  --help        this text; `caisson COMMAND --help` says more about a command
  --version     the version
TEXT
}

# How people call this launcher: by its name where that finds it, else by its path.
command_name() {
    if [[ "$(readlink -f -- "$(command -v caisson || true)")" == "$root/caisson" ]]; then
        printf caisson
    else
        printf '%s/caisson' "$root"
    fi
}

case "${1:---help}" in
    -h | --help | help) usage ;;
    -V | --version) printf 'caisson %s\n' "$version" ;;
    service)
        # shellcheck source=service.sh
        . "$root/service.sh"
        shift && service "$@"
        ;;
    *)
        java_flags "$root" "$(command_name)"
        [[ ! -f "$root/app.aot" ]] || flags+=(-XX:AOTCache="$root/app.aot")
        read -r -a more <<<"${CAISSON_JVM_OPTIONS:-}"
        exec "$root/jre/bin/java" "${flags[@]}" "${more[@]}" -cp "$(class_path "$root")" dev.caisson.Main "$@"
        ;;
esac
