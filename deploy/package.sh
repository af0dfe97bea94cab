# `caisson package`: builds a release archive and a Debian package that need no JDK, no Node and no build. Read by
# `caisson`, which has built the product in `ready` and set `jdk`.
#
#   caisson-<version>-linux-<arch>/   caisson, VERSION, jre/, lib/, guests/, bom/, app.aot, deploy files, documents
#   /usr/lib/caisson                  the same, in the Debian package
#
# Everything but app.aot is the same whenever the same sources are packed: names are sorted, owners are root, times are
# those of the last change.

# The modules of Java that no class names but that are used: the first by libraries that look for it by name, the
# others for TLS.
package_modules=jdk.unsupported,jdk.crypto.cryptoki

package_usage() {
    cat <<'TEXT'
Usage: caisson package [--output DIRECTORY] [--no-cache] [--check]

Builds caisson-VERSION-linux-ARCH.tar.gz and caisson_VERSION_ARCH.deb, which hold everything: a Java of their own, the
server, the console, what runs inside sandboxes and the recorded start-up cache. On the machine that gets them, nothing
is built and no JDK or Node is needed.

  --output DIRECTORY   where to put them; .caisson/package unless told
  --no-cache           leave the start-up cache out: faster to build, slower to start
  --check              also unpack the archive, start its server and run a program
TEXT
}

package() {
    local output="$work/package" cache=yes check=no
    while (($# > 0)); do
        case "$1" in
            --output) [[ -n "${2:-}" ]] || die "--output needs a directory" && output="$2" && shift ;;
            --no-cache) cache=no ;;
            --check) check=yes ;;
            *) package_usage >&2 && exit 2 ;;
        esac
        shift
    done
    for tool in tar gzip; do has "$tool" || die "packaging needs $tool: $(as_root)apt-get install -y $tool"; done
    prepare
    open_work
    mkdir -p "$output"
    output="$(cd -- "$output" && pwd)"
    local arch epoch name stage
    arch="$(package_arch)"
    epoch="$(package_epoch)"
    name="caisson-$(version)-linux-$arch"
    stage="$(mktemp -d "$work/stage.XXXXXX")"
    # shellcheck disable=SC2064
    trap "rm -rf -- '$stage'" EXIT
    say "[1/4] linking a Java"
    package_tree "$stage/$name"
    package_times "$stage/$name" "$epoch"
    if [[ "$cache" == yes ]]; then
        say "[2/4] recording how the server is used"
        patiently recording package_record "$stage/$name" || die "the recording failed; see $work/build.log"
        # The recording has a trap of its own.
        # shellcheck disable=SC2064
        trap "rm -rf -- '$stage'" EXIT
    else
        say "[2/4] no start-up cache, as you asked"
    fi
    package_times "$stage/$name" "$epoch"
    say "[3/4] packing the archive"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$stage" -cf - "$name" | gzip -n >"$output/$name.tar.gz"
    package_told "$output/$name.tar.gz"
    if has dpkg-deb; then
        say "[4/4] packing the Debian package"
        package_deb "$stage" "$stage/$name" "$epoch" "$output"
    else
        say "[4/4] there is no dpkg-deb here, so there is no Debian package"
    fi
    [[ "$check" == no ]] || package_check "$output/$name.tar.gz" "$stage/unpacked"
    rm -rf -- "$stage"
    trap - EXIT
}

package_arch() {
    case "$(uname -m)" in
        x86_64) printf amd64 ;;
        aarch64) printf arm64 ;;
        *) uname -m ;;
    esac
}

# When the sources were last changed.
package_epoch() {
    printf '%s' "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/pom.xml")}"
}

package_told() { printf '%s  %s\n' "$(du -h --apparent-size "$1" | cut -f 1)" "$1"; }

# $1: the directory to fill
package_tree() {
    local tree="$1" modules
    mkdir -p "$tree/doc"
    cp -R "$ready/lib" "$ready/guests" "$ready/bom" "$tree/"
    modules="$("$jdk/bin/jdeps" --multi-release "$jdk_wanted" --ignore-missing-deps --print-module-deps \
        --class-path "$tree/lib/*" "$tree"/lib/*.jar 2>/dev/null | tail -n 1)"
    [[ "$modules" == java.base* ]] || die "jdeps did not say which modules are needed: $modules"
    "$jdk/bin/jlink" --add-modules "$modules,$package_modules" --no-header-files --no-man-pages \
        --strip-java-debug-attributes --output "$tree/jre" >>"$work/build.log" 2>&1 ||
        die "jlink failed; see $work/build.log. Some packages of a JDK leave out what it needs."
    cp "$root/deploy/launcher.sh" "$tree/caisson"
    cp "$root/deploy/java-flags.sh" "$root/deploy/service.sh" "$root/deploy/caisson.service" "$tree/"
    printf '%s\n' "$(version)" >"$tree/VERSION"
    cp "$root/LICENSE" "$root/README.md" "$root/SECURITY.md" "$root/CHANGELOG.md" "$tree/doc/"
    cp "$root"/docs/*.md "$tree/doc/"
    cp -R "$root/deploy" "$tree/deploy"
    find "$tree" -type d -exec chmod 755 {} +
    find "$tree" -type f -perm /111 -exec chmod 755 {} +
    find "$tree" -type f -not -perm /111 -exec chmod 644 {} +
    chmod 755 "$tree/caisson"
}

# The cache knows the jars by their times. $1: the tree, $2: seconds
package_times() { find "$1" -newermt "@$2" -exec touch -h -d "@$2" {} +; find "$1" -not -newermt "@$2" -exec touch -h -d "@$2" {} +; }

# Records with the Java that will read it. $1: the tree
package_record() {
    local jdk="$1/jre"
    train "$1"
}

# $1: a directory for our use, $2: the tree, $3: seconds, $4: where to put the package
package_deb() {
    local deb="$1/deb" tree="$2" epoch="$3" file
    local package="caisson_$(version)_$(package_arch).deb"
    mkdir -p "$deb/DEBIAN" "$deb/usr/lib/systemd/system" "$deb/usr/bin" "$deb/usr/share/doc/caisson" "$deb/etc/caisson"
    cp -a "$tree" "$deb/usr/lib/caisson"
    rm -rf "$deb/usr/lib/caisson/doc"
    cp -a "$tree"/doc/* "$deb/usr/share/doc/caisson/"
    mv "$deb/usr/share/doc/caisson/LICENSE" "$deb/usr/share/doc/caisson/copyright"
    mv "$deb/usr/lib/caisson/caisson.service" "$deb/usr/lib/systemd/system/"
    ln -s ../lib/caisson/caisson "$deb/usr/bin/caisson"
    cp "$root/deploy/caisson.yaml" "$deb/etc/caisson/"
    for file in postinst prerm postrm; do
        cp "$root/deploy/debian/$file" "$deb/DEBIAN/$file"
        chmod 755 "$deb/DEBIAN/$file"
    done
    printf '/etc/caisson/caisson.yaml\n' >"$deb/DEBIAN/conffiles"
    chmod 644 "$deb/etc/caisson/caisson.yaml" "$deb/DEBIAN/conffiles"
    find "$deb" -type d -exec chmod 755 {} +
    sed -e "s/@VERSION@/$(version)/" -e "s/@ARCH@/$(package_arch)/" \
        -e "s/@SIZE@/$(du -sk --apparent-size "$deb/usr" | cut -f 1)/" "$root/deploy/debian/control" >"$deb/DEBIAN/control"
    package_times "$deb" "$epoch"
    SOURCE_DATE_EPOCH="$epoch" dpkg-deb --root-owner-group -Zgzip --build "$deb" "$4/$package" >>"$work/build.log" 2>&1 ||
        die "dpkg-deb failed; see $work/build.log"
    package_told "$4/$package"
}

# Starts what was packed, and has it run a program. $1: the archive, $2: a directory for it
package_check() {
    local data="$2/data" port='' key='' server answer
    mkdir -p "$data"
    tar -xzf "$1" -C "$2"
    chmod 700 "$data"
    env -i PATH="$PATH" HOME="$data" "$2"/caisson-*/caisson serve --config /dev/null --port 0 --data "$data" >"$data/out" 2>"$data/log" &
    server=$!
    # shellcheck disable=SC2064
    trap "kill -KILL $server 2>/dev/null; rm -rf -- '${2%/*}'" EXIT
    for _ in $(seq 600); do
        port="$(sed -n 's#.*http://127\.0\.0\.1:\([0-9]*\)/mcp.*#\1#p' "$data/out" | sed -n 1p)"
        [[ -z "$port" ]] && kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    [[ -n "$port" ]] || { cat "$data/log" >&2 && die "the packed server did not start"; }
    key="$(grep -o 'ck_[0-9a-f_]*' "$data/out" | sed -n 1p)"
    answer="$(package_run "$port" "$key")"
    kill -TERM "$server"
    wait "$server" || die "the packed server did not stop in order"
    [[ "$answer" == *'5050'* ]] || die "the packed server did not run a program: $answer"
    say "checked: the packed server started, ran a program and stopped"
}

# $1: the port, $2: a key
package_run() {
    local body='{"language":"bash","code":"echo $((100*101/2))"}'
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'POST /v1/sandbox/execute HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' \
        "$1" "$2" "${#body}" "$body" >&3
    timeout 120 cat <&3
    exec 3>&-
}
