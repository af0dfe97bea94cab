package dev.caisson.sandbox.doctor;

import dev.caisson.sandbox.Layer;
import java.util.Locale;

/// Probe of the doctor: an attack on a sandbox from inside. The program `doctor.py` carries it out
/// under the same name.
public enum DoctorProbe {
    SYSTEM_IS_READ_ONLY(Area.FILES, Layer.READ_ONLY_ROOT),
    SETTINGS_ARE_READ_ONLY(Area.FILES, Layer.READ_ONLY_ROOT),
    ROOT_IS_READ_ONLY(Area.FILES, Layer.READ_ONLY_ROOT),
    HOMES_ARE_ABSENT(Area.FILES, Layer.READ_ONLY_ROOT),
    PASSWORD_HASHES_ARE_ABSENT(Area.FILES, Layer.READ_ONLY_ROOT),
    DEVICES_CANNOT_BE_MADE(Area.FILES, Layer.NO_PRIVILEGES),
    DEVICES_OF_THE_HOST_ARE_ABSENT(Area.FILES, Layer.READ_ONLY_ROOT),
    ENGINE_SOCKET_IS_ABSENT(Area.FILES, Layer.READ_ONLY_ROOT),
    ONLY_PIPES_AND_OWN_FILES_ARE_OPEN(Area.FILES, Layer.NAMESPACES),
    USER_IS_NOT_ROOT(Area.KERNEL, Layer.OWN_USER),
    NO_CAPABILITIES(Area.KERNEL, Layer.NO_PRIVILEGES),
    NO_NEW_PRIVILEGES(Area.KERNEL, Layer.NO_PRIVILEGES),
    CALLS_ARE_FILTERED(Area.KERNEL, Layer.SYSCALL_FILTER),
    NAMESPACES_CANNOT_BE_MADE(Area.KERNEL, Layer.SYSCALL_FILTER),
    MOUNTING_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    TRACING_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    FOREIGN_MEMORY_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    BPF_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    IO_URING_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    PERF_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    KEY_RINGS_ARE_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    USERFAULTFD_IS_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    MODULES_ARE_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    FILE_HANDLES_ARE_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    RARE_SOCKETS_ARE_REFUSED(Area.KERNEL, Layer.SYSCALL_FILTER),
    SOCKETS_CANNOT_BE_SHARED(Area.KERNEL, Layer.SOCKETS_STAY_INSIDE),
    SOCKETS_WORK_IN_PRIVATE(Area.KERNEL, Layer.SOCKETS_STAY_INSIDE),
    KERNEL_MEMORY_IS_ABSENT(Area.KERNEL, Layer.PRIVATE_PROC),
    KERNEL_SETTINGS_ARE_READ_ONLY(Area.KERNEL, Layer.PRIVATE_PROC),
    SYSTEM_REQUEST_KEY_IS_ABSENT(Area.KERNEL, Layer.PRIVATE_PROC),
    CONTROL_GROUPS_ARE_OUT_OF_REACH(Area.KERNEL, Layer.READ_ONLY_ROOT),
    THERE_IS_NO_TERMINAL(Area.KERNEL, Layer.NAMESPACES),
    PROCESS_ONE_IS_COVERED(Area.KERNEL, Layer.PRIVATE_PROC),
    ONLY_LOOPBACK_IS_THERE(Area.NETWORK, Layer.NO_NETWORK),
    THE_INTERNET_IS_OUT_OF_REACH(Area.NETWORK, Layer.NO_NETWORK),
    CLOUD_METADATA_IS_OUT_OF_REACH(Area.NETWORK, Layer.NO_NETWORK),
    PRIVATE_ADDRESSES_ARE_OUT_OF_REACH(Area.NETWORK, Layer.NO_NETWORK),
    THE_SERVERS_LOOPBACK_IS_ANOTHER(Area.NETWORK, Layer.NO_NETWORK),
    CORE_DUMPS_ARE_OFF(Area.RESOURCES, Layer.FILE_LIMITS),
    FILES_ARE_LIMITED_IN_SIZE(Area.RESOURCES, Layer.FILE_LIMITS),
    OPEN_FILES_END(Area.RESOURCES, Layer.FILE_LIMITS),
    TERMINALS_END(Area.RESOURCES, Layer.FILE_LIMITS),
    TMP_ENDS(Area.RESOURCES, Layer.BOUNDED_TMP),
    SHARED_MEMORY_ENDS(Area.RESOURCES, Layer.BOUNDED_TMP),
    OTHER_PROCESSES_ARE_OUT_OF_SIGHT(Area.NEIGHBOURS, Layer.NAMESPACES),
    THE_SERVER_CANNOT_BE_SIGNALLED(Area.NEIGHBOURS, Layer.NAMESPACES),
    SHARED_MEMORY_IS_PRIVATE(Area.NEIGHBOURS, Layer.NAMESPACES),
    MESSAGE_QUEUES_ARE_PRIVATE(Area.NEIGHBOURS, Layer.NAMESPACES),
    THE_HOSTS_NAME_IS_HIDDEN(Area.NEIGHBOURS, Layer.NAMESPACES),
    THE_SERVERS_ENVIRONMENT_IS_HIDDEN(Area.NEIGHBOURS, Layer.NAMESPACES);

    /// What is attacked.
    public enum Area {
        FILES,
        KERNEL,
        NETWORK,
        RESOURCES,
        NEIGHBOURS;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Area area;
    private final Layer layer;

    DoctorProbe(Area area, Layer layer) {
        this.area = area;
        this.layer = layer;
    }

    public Area area() {
        return area;
    }

    /// The layer that holds against it.
    public Layer layer() {
        return layer;
    }

    /// Its name in the program.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String sentence() {
        return word().replace('_', ' ');
    }
}
