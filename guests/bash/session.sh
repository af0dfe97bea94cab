# The stateful part of the bash guest: cells come one after another and are sourced in this one shell.
#
# 8 carries the jobs: entries ended by a NUL, of which those without a name are the file of the cell and, after <, its
# input, and an empty one says that the job is whole. 7 leads to the server: one record after each cell. No program that a cell starts
# has either of them. `exit` ends the shell, and so does a failure under `set -e`: the shell's own way.

__caisson_next() {
    builtin local - entry
    builtin set +eux
    __caisson_cell=
    __caisson_input=
    while IFS= builtin read -r -d '' -u 8 entry && [[ -n $entry ]]; do
        case $entry in
            =/*) __caisson_cell=${entry#=} ;;
            '=<'*) __caisson_input=${entry#=<} ;;
            =*) ;;
            *) builtin export -- "$entry" ;;
        esac
    done
    [[ -n $__caisson_cell ]] || builtin exit 125
}

# Printed by a process of its own: to redirect it, bash would put 7 on its own 1 for a moment.
__caisson_done() {
    builtin local -
    builtin set +eux
    (builtin printf '{"cell":"%s","code":%d}\n' "$__caisson_cell" "$1" >&7)
}

# An interrupt ends the cell.
builtin trap 'builtin return 130' INT

__caisson_cell=$1
__caisson_input=$2
builtin shift 2
while true; do
    # A cell without an input of its own has what the shell has, which is empty.
    if [[ -n $__caisson_input ]]; then
        builtin source "$__caisson_cell" 0<"$__caisson_input" 7>&- 8<&-
    else
        builtin source "$__caisson_cell" 7>&- 8<&-
    fi
    { __caisson_done "$?"; __caisson_next; } 2>/dev/null
done
