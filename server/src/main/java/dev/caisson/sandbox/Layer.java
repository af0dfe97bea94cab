package dev.caisson.sandbox;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Isolation layer: one of the walls around a program. Each denies by itself; all are promised, and
/// proved when the server starts.
public enum Layer {
    NAMESPACES(
            "User, mount, process, network, ipc, host name and control group namespaces of its own."),
    OWN_USER("A host user that is not root and that no other live sandbox has."),
    READ_ONLY_ROOT("A read-only root in which set-id bits and device nodes have no effect."),
    PRIVATE_PROC("A read-only /proc that covers what tells about the host and process 1."),
    NO_PRIVILEGES("No capability in any set, and no way to gain one."),
    SYSCALL_FILTER("Only the system calls programs need."),
    SOCKETS_STAY_INSIDE(
            "No descriptor leaves a sandbox: UNIX sockets are made in private places or in pairs only."),
    NO_NETWORK("No network interface but loopback."),
    MEMORY_LIMIT("Memory is limited for everything in a sandbox together."),
    PROCESS_LIMIT("Processes and threads are limited in number."),
    CPU_LIMIT("Processor time is limited."),
    FILE_LIMITS(
            "Open files, file size and core dumps are limited per process, pseudo-terminals per sandbox."),
    BOUNDED_TMP("/tmp and /dev/shm are limited in bytes and in files."),
    WORKSPACE_LIMIT(
            "Each workspace is a file system of its own that ends in bytes and in files, so that the host's disk cannot be filled.");

    private final String promise;

    Layer(String promise) {
        this.promise = promise;
    }

    /// What holds when the layer is in force.
    public String promise() {
        return promise;
    }

    /// As it is written in the configuration and in answers.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Layer> of(String word) {
        return Arrays.stream(values()).filter(layer -> layer.word().equals(word)).findFirst();
    }
}
