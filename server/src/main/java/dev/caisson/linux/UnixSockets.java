package dev.caisson.linux;

/// Rule about UNIX sockets: where programs may have them. Through one that two sandboxes can both
/// name, descriptors would pass between them; either way of preventing it is enough.
public enum UnixSockets {
    /// Landlock lets a socket be made in `/tmp` and `/dev/shm` alone, which are private. Abstract
    /// ones and pairs work too.
    PRIVATE_PLACES("Landlock: UNIX sockets can be made in /tmp and /dev/shm only"),

    /// For kernels without Landlock: the filter refuses every UNIX socket but those made in pairs,
    /// which have no name.
    PAIRS_ONLY("the system call filter: no UNIX sockets but pairs");

    private final String description;

    UnixSockets(String description) {
        this.description = description;
    }

    /// For the operator.
    public String description() {
        return description;
    }
}
