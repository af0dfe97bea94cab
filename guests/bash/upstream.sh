# The guest of a service: gets its environment and its command from the server, then becomes the command.
#
# Descriptors at the start: 0 carries the job and is the command's input afterwards, 5 and 6 are its output and errors,
# 7 leads to the server: one byte when ready.

exec 1>&5 2>&6 5>&- 6>&-
# In a process of its own: to redirect it, bash would put 7 on its own 1 for a moment.
(printf R >&7)

# The job: NAME=value entries, each ended by a NUL, and an empty one to say that it is whole. One without a name is a
# word of the command. bash reads a pipe byte by byte here, so what follows is left for the command.
__words=()
while true; do
    IFS= read -r -d '' __entry || exit 125
    case $__entry in
        '') break ;;
        =*) __words+=("${__entry#=}") ;;
        *) export -- "$__entry" || exit 125 ;;
    esac
done
unset -v __entry OLDPWD

exec 7>&-
cd /data || exit 125
exec -- "${__words[@]}"
