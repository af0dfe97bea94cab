# Flags of the Java machine, the same wherever the product is started: a start-up cache is good only for the flags it
# was recorded with. Read by `caisson` and by the launcher of a package.

# Sets `flags`. $1: the directory with lib/ and guests/, $2: how the product is called in what it tells people to type
java_flags() {
    local cores carriers
    cores="$(nproc)"
    carriers=$((cores * 4 > 8 ? cores * 4 : 8))
    flags=(
        --enable-native-access=ALL-UNNAMED
        -XX:MaxRAMPercentage=25
        -XX:+UseCompactObjectHeaders
        -XX:+ExitOnOutOfMemoryError
        -XX:MaxDirectMemorySize=512m
        -Djdk.nio.maxCachedBufferSize=262144
        -Djdk.virtualThreadScheduler.parallelism="$carriers"
        -XX:+DisableAttachMechanism
        -XX:-UsePerfData
        -Xlog:disable -Xlog:all=error:stderr
        -Dcaisson.guests="$1/guests"
        -Dcaisson.command="$2"
    )
    if small_machine "$cores" && [[ " ${CAISSON_JVM_OPTIONS:-} " != *" -XX:+Use"*"GC "* ]]; then
        flags+=(-XX:+UseSerialGC -Xms64m)
    fi
}

# Whether the serial collector does as well as any other: with two cores at most, or a heap below 1 GiB, which is a
# quarter of the memory. $1: the cores
small_machine() {
    local name kib rest
    (($1 > 2)) || return 0
    while read -r name kib rest; do
        [[ "$name" != MemTotal: ]] || { ((kib < 4 * 1024 * 1024)) && return 0; return 1; }
    done </proc/meminfo
    return 1
}

# Prints the class path of a build, in an order that does not depend on the file system. $1: the directory with lib/
class_path() {
    local LC_ALL=C IFS=:
    local jars=("$1"/lib/*.jar)
    printf '%s' "${jars[*]}"
}
