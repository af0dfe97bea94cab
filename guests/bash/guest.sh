# The bash guest: waits for one job, then becomes the program.
#
# Descriptors at the start: 0 carries the job and is at its end afterwards, 5 and 6 are the program's output
# and errors, 7 leads to the server: one byte when ready.

exec 1>&5 2>&6 5>&- 6>&-
# In a process of its own: to redirect it, bash would put 7 on its own 1 for a moment.
(printf R >&7)

# The job: NAME=value entries, each ended by a NUL, and an empty one to say that it is whole. One without a name
# is the first cell of a session.
environment=()
cell=
while true; do
    IFS= read -r -d '' entry || exit 125
    [[ -n $entry ]] || break
    if [[ $entry == =* ]]; then
        cell=${entry#=}
    else
        environment+=("$entry")
    fi
done

cd /workspace || exit 125
if [[ -n $cell ]]; then
    exec 8<&0 0</dev/null
    exec env -i "${environment[@]}" bash -c 'source /run/guest/bash/session.sh' bash "$cell"
fi
exec 7>&-
exec env -i "${environment[@]}" bash /run/job/main.sh
