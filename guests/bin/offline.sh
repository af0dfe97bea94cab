#!/bin/sh
# Stands before programs that fetch from a network, in a sandbox that has none: what needs the network is answered at
# once with one sentence, all else is done by the real program.
#
# It is found under the names of those programs, and as pip-python, which pip takes for its interpreter (PIP_PYTHON)
# however it was called: by python -m, or as that of a virtual environment. The directory /run/offline says that there is no network; where it is
# absent, every call goes to the real program. So it does where CAISSON_NETWORK says that this program has a network of its
# own, through a proxy. SANDBOX_PACKAGES, if it is set, names what is installed.

stubs=/run/guest/bin
name=${0##*/}

is_offline() {
    [ -d /run/offline ] && [ -z "$CAISSON_NETWORK" ]
}

# Becomes the real program: the first of this name on PATH that is not this one.
become_real() {
    unset PIP_PYTHON
    saved=$IFS
    IFS=:
    for directory in $PATH; do
        [ "$directory" = "$stubs" ] && continue
        if [ -f "$directory/$name" ] && [ -x "$directory/$name" ]; then
            IFS=$saved
            exec "$directory/$name" "$@"
        fi
    done
    echo "$name: not found: it is not installed in this sandbox" >&2
    exit 127
}

# What cannot be installed here. $1 is the exit code the real program has when it fails so.
refuse_install() {
    if [ -n "$SANDBOX_PACKAGES" ]; then
        installed="installed are $SANDBOX_PACKAGES"
    else
        installed="the tool list_runners says what is installed"
    fi
    echo "$name: this sandbox has no network, so nothing can be installed; $installed; the operator of the server can add packages." >&2
    exit "$1"
}

# What cannot be reached. $1 is the exit code, $2 the address.
refuse_fetch() {
    echo "$name: this sandbox has no network, so $2 cannot be reached; give the run its data as input files, or ask the operator of the server." >&2
    exit "$1"
}

# Whether $1 is an address of another machine. With a scheme it is one unless it names this machine or a file.
is_remote() {
    case $1 in
        file:* | "") return 1 ;;
        *://*) host=${1#*://} ;;
        *) host=$1 ;;
    esac
    host=${host%%[/?#]*}
    host=${host##*@}
    case $host in
        \[::1\]* | localhost | localhost:* | *.localhost | *.localhost:* | 127.* | 0.0.0.0 | 0.0.0.0:* | sandbox | sandbox:*) return 1 ;;
        "") return 1 ;;
        *) return 0 ;;
    esac
}

# Whether $1 is a repository on another machine: a URL, or host:path as ssh has it.
is_remote_repository() {
    case $1 in
        *://*) is_remote "$1" ;;
        /* | ./* | ../* | "") return 1 ;;
        *:*) [ ! -e "$1" ] ;;
        *) return 1 ;;
    esac
}

# The first argument that is no option, in $word.
first_word() {
    word=
    for argument in "$@"; do
        case $argument in
            -*) ;;
            *) word=$argument; return ;;
        esac
    done
}

# Whether every argument after the first word is an option or something that is here.
all_local() {
    seen=
    targets=
    for argument in "$@"; do
        case $argument in
            -*) continue ;;
        esac
        if [ -z "$seen" ]; then
            seen=yes
            continue
        fi
        [ -e "$argument" ] || return 1
        targets=yes
    done
    [ -n "$targets" ]
}

pip() {
    first_word "$@"
    case $word in
        install | download | wheel | search | index)
            for argument in "$@"; do
                [ "$argument" = --no-index ] && return
            done
            case " $* " in
                *" -r "* | *" --requirement"*) ;;
                *) all_local "$@" && return ;;
            esac
            refuse_install 1
            ;;
    esac
}

npm() {
    first_word "$@"
    case $word in
        install | i | in | ins | add | ci | clean-install | install-test | it)
            all_local "$@" || refuse_install 1
            ;;
        update | up | upgrade | audit | search | view | info | show | outdated | publish | create | login | adduser | ping)
            refuse_install 1
            ;;
        exec | x)
            shift
            npx "$@"
            ;;
        init | innit)
            shift
            first_word "$@"
            [ -z "$word" ] || refuse_install 1
            ;;
    esac
}

npx() {
    first_word "$@"
    [ -z "$word" ] && return
    [ -e "$word" ] || [ -x "node_modules/.bin/$word" ] || refuse_install 1
}

yarn() {
    [ $# -gt 0 ] || refuse_install 1
    first_word "$@"
    case $word in
        install | add | up | upgrade | dlx | create | global | audit | info | npm | outdated | import) refuse_install 1 ;;
    esac
}

pnpm() {
    first_word "$@"
    case $word in
        install | i | add | update | up | dlx | fetch | create | audit | outdated | import) refuse_install 1 ;;
    esac
}

apt() {
    first_word "$@"
    case $word in
        install | update | upgrade | full-upgrade | dist-upgrade | download | source | build-dep | reinstall) refuse_install 100 ;;
    esac
}

git() {
    # What stands before the command is needed to find out where a remote is.
    place=
    while [ $# -gt 0 ]; do
        case $1 in
            -C) place=$2; shift 2 || return ;;
            -c | --git-dir | --work-tree | --namespace) shift 2 || return ;;
            -*) shift ;;
            *) break ;;
        esac
    done
    [ $# -gt 0 ] || return
    command=$1
    shift
    case $command in
        clone | ls-remote | fetch | pull | push | submodule | remote | archive) ;;
        *) return ;;
    esac
    remote=
    for argument in "$@"; do
        case $argument in
            -*) continue ;;
        esac
        if [ "$command" != remote ] && is_remote_repository "$argument"; then
            refuse_fetch 128 "$argument"
        fi
        [ -n "$remote" ] || remote=$argument
    done
    case $command in
        fetch | pull | push | ls-remote) address=$(address_of "${remote:-origin}") ;;
        remote) [ "$remote" = update ] || return; address=$(address_of origin) ;;
        *) return ;;
    esac
    if is_remote_repository "$address"; then
        refuse_fetch 128 "$address"
    fi
}

# Where the remote $1 of the repository is.
address_of() (
    [ -z "$place" ] || cd "$place" || exit
    become_real config --get "remote.$1.url" 2>/dev/null
)

# Addresses among the arguments of curl and wget. $code is the exit code, $short and $long are options with a value,
# separated by spaces.
fetch() {
    skip=
    for argument in "$@"; do
        if [ -n "$skip" ]; then
            skip=
            continue
        fi
        case $argument in
            --proxy | --proxy=* | --unix-socket | --abstract-unix-socket | --resolve | --connect-to | -x | --preproxy | --socks*) return ;;
            --url=*) refuse_remote "${argument#--url=}" ;;
            --url | --) ;;
            --*=*) ;;
            --*)
                case " $long " in
                    *" $argument "*) skip=yes ;;
                esac
                ;;
            -?*)
                case $short in
                    *"${argument#"${argument%?}"}"*) skip=yes ;;
                esac
                ;;
            *) refuse_remote "$argument" ;;
        esac
    done
}

refuse_remote() {
    if is_remote "$1"; then
        refuse_fetch "$code" "$1"
    fi
}

curl() {
    code=6
    short=oHdXuAebcFTKmwrzCEDPQtUyY
    long='--output --output-dir --header --data --data-raw --data-binary --data-ascii --data-urlencode --json --request
        --user --user-agent --referer --cookie --cookie-jar --form --form-string --upload-file --config --max-time
        --connect-timeout --write-out --range --retry --retry-delay --retry-max-time --cacert --capath --cert --key
        --dump-header --stderr --limit-rate --max-redirs --max-filesize --interface --time-cond --continue-at
        --ciphers --tls-max --oauth2-bearer --aws-sigv4 --url-query --trace --trace-ascii'
    long=$(echo $long)
    fetch "$@"
}

wget() {
    code=4
    short=OoaiPTtUewQBARDIXl
    long='--output-document --output-file --append-output --input-file --directory-prefix --timeout --tries --user-agent
        --header --post-data --post-file --body-data --body-file --method --execute --wait --quota --base --level
        --user --password --referer --load-cookies --save-cookies --limit-rate'
    long=$(echo $long)
    fetch "$@"
}

# pip hands over its own runner and its arguments; its interpreter is the program that called.
if [ "$name" = pip-python ]; then
    name=pip
    runner=$1
    shift
    ! is_offline || pip "$@"
    caller=$(tr '\0' '\n' <"/proc/$PPID/cmdline" | head -n 1)
    exec "${caller:-python3}" "$runner" "$@"
fi

if is_offline; then
    case $name in
        pip | pip3) pip "$@" ;;
        apt | apt-get) apt "$@" ;;
        npm | npx | yarn | pnpm | git | curl | wget) "$name" "$@" ;;
    esac
fi
become_real "$@"
