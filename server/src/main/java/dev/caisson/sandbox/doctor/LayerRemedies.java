package dev.caisson.sandbox.doctor;

import dev.caisson.sandbox.Layer;
import java.util.stream.Collectors;

/// Remedies for missing isolation layers: for each the command to type on this host.
///
/// @param missingAll whether no sandbox could be made, so that every layer is missing for one
///   reason
record LayerRemedies(HostFacts host, boolean missingAll) {
    private static final String INSTALL = "to install it: ";

    /// @param why the layer is missing
    String of(Layer layer, String why) {
        int install = why.indexOf(INSTALL);
        if (install >= 0) {
            return why.substring(install + INSTALL.length());
        }
        if (missingAll) {
            return host.blockedNamespaces()
                    .map(setting -> "sudo sysctl -w " + setting)
                    .orElse(host.root() ? KERNEL : asRoot());
        }
        return switch (layer) {
            case OWN_USER, BOUNDED_TMP -> host.root() ? KERNEL : asRoot();
            case MEMORY_LIMIT, PROCESS_LIMIT, CPU_LIMIT -> groups(why);
            case WORKSPACE_LIMIT -> workspace(why);
            case SYSCALL_FILTER -> "sudo apt-get install -y libseccomp2";
            case NAMESPACES,
                    READ_ONLY_ROOT,
                    PRIVATE_PROC,
                    NO_PRIVILEGES,
                    SOCKETS_STAY_INSIDE,
                    NO_NETWORK,
                    FILE_LIMITS ->
                    KERNEL;
        };
    }

    private static final String KERNEL =
            "Do not run untrusted code here. Update the kernel and bubblewrap: sudo apt-get update && sudo apt-get install -y bubblewrap";

    private String asRoot() {
        return "sudo " + host.command() + " serve";
    }

    private String workspace(String why) {
        if (why.contains("e2fsprogs")) {
            return "sudo apt-get install -y e2fsprogs";
        }
        var loop = host.loopDevices() ? "" : "sudo modprobe loop";
        if (host.root()) {
            return loop.isEmpty() ? KERNEL : loop;
        }
        return loop.isEmpty() ? asRoot() : loop + " && " + asRoot();
    }

    private String groups(String why) {
        if (why.contains("swap")) {
            return "sudo swapoff -a";
        }
        if (host.unified()) {
            return host.root()
                    ? "echo '+memory +pids +cpu' > /sys/fs/cgroup/cgroup.subtree_control"
                    : unified();
        }
        if (host.trees().isEmpty()) {
            return "sudo mount -t cgroup2 none /sys/fs/cgroup";
        }
        return host.root() ? "Boot with the kernel option cgroup_enable=memory." : delegated();
    }

    private String unified() {
        return host.userManager()
                ? "systemd-run --user --scope -p Delegate=yes " + host.command() + " serve"
                : asRoot();
    }

    /// In version 1 a directory of one's own in each tree is all that is needed. For bash and zsh.
    private String delegated() {
        var trees =
                host.trees().stream()
                        .map(tree -> tree.getFileName().toString())
                        .collect(Collectors.joining(","));
        var directories = "/sys/fs/cgroup/{%s}/caisson-%d".formatted(trees, host.user());
        return "sudo mkdir -p %1$s && sudo chown -R %2$d %1$s".formatted(directories, host.user());
    }
}
