# The bash guest: waits for one job, then becomes the program.
#
# Descriptors at the start: 0 carries the job and is at its end afterwards, 5 and 6 are the program's output
# and errors, 7 leads to the server: one byte when ready.

exec 1>&5 2>&6 5>&- 6>&-
# In a process of its own: to redirect it, bash would put 7 on its own 1 for a moment.
(printf R >&7)

# What every sandbox is started with and no program sees.
unset -v NODE_OPTIONS

# The job: NAME=value entries, each ended by a NUL, and an empty one to say that it is whole. One without a name
# is for the guest: a path is the first cell of a session, a path after < the program's input. A shell has no last
# expression to display.
environment=()
cell=
input=
usual=yes
while true; do
    IFS= read -r -d '' entry || exit 125
    case $entry in
        '') break ;;
        '=<'*) input=${entry#=<} ;;
        =/*) cell=${entry#=} ;;
        =*) ;;
        *) environment+=("$entry") ;;
    esac
    case $entry in
        =*) ;;
        HOME=* | LANG=C.UTF-8 | LOGNAME=* | "PATH=$PATH" | PWD=/workspace | PYTHON*=* | SHELL=* | TMPDIR=* | USER=*) ;;
        SANDBOX_*=* | GOMAXPROCS=* | MPLCONFIGDIR=* | NODE_OPTIONS=* | OMP_NUM_THREADS=* | PIP_PYTHON=* | XDG_CACHE_HOME=* | npm_config_offline=*) ;;
        *) usual= ;;
    esac
done

cd /workspace || exit 125
if [[ -n $cell ]]; then
    exec 8<&0 0</dev/null
    exec env -i "${environment[@]}" "$BASH" -c 'source /run/guest/bash/session.sh' bash "$cell" "$input"
fi
exec 7>&-
[[ -z $input ]] || exec 0<"$input"
# Setting these changes nothing about this shell, so it can hand them on itself and save the program `env`. Of
# others it cannot be said: some it may not set, some change what it does or have it complain.
if [[ -n $usual ]]; then
    unset -v OLDPWD
    export -- "${environment[@]}"
    exec "$BASH" /run/job/main.sh
fi
exec env -i "${environment[@]}" "$BASH" /run/job/main.sh
