"""Attacks the sandbox it runs in, from inside, and says what got through.

One line per probe: its name, a tab, and `held` or what happened instead.
"""

import ctypes
import errno
import os
import resource
import socket
import stat

LIBC = ctypes.CDLL(None, use_errno=True)
PROBES = []


def probe(function):
    PROBES.append(function)
    return function


def refused(attack, *arguments):
    """Held when the attack fails."""
    try:
        outcome = attack(*arguments)
    except (OSError, ValueError):
        return None
    if isinstance(outcome, int) and outcome > 2:
        try:
            os.close(outcome)
        except OSError:
            pass
    return "it worked: %r" % (outcome,)


def syscall(number, *arguments):
    result = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(each) for each in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def status(name):
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(name + ":"):
                return line.split(":", 1)[1].strip()
    return "absent"


def expect(found, wanted):
    return None if found == wanted else "found %r" % (found,)


def unreadable(path):
    """Held when there is nothing to read."""
    try:
        with open(path, "rb") as file:
            return "%d bytes of it can be read" % len(file.read(4096)) if file.read(1) else None
    except OSError:
        return None


# Files


@probe
def system_is_read_only():
    return refused(open, "/usr/caisson-probe", "w")


@probe
def settings_are_read_only():
    return refused(open, "/etc/caisson-probe", "w")


@probe
def root_is_read_only():
    return refused(os.mkdir, "/caisson-probe")


@probe
def homes_are_absent():
    seen = [path for path in ("/root", "/home", "/srv", "/var/lib", "/boot") if os.path.isdir(path) and os.listdir(path)]
    seen = [path for path in seen if path != "/home" or os.listdir(path) != ["baponi"]]
    return expect(seen, [])


@probe
def password_hashes_are_absent():
    return refused(open, "/etc/shadow")


@probe
def devices_cannot_be_made():
    return refused(os.mknod, "/workspace/caisson-probe", stat.S_IFBLK | 0o600, os.makedev(8, 0))


@probe
def devices_of_the_host_are_absent():
    known = {"null", "zero", "full", "random", "urandom", "tty", "fd", "stdin", "stdout", "stderr", "pts", "ptmx", "shm", "console", "core"}
    return expect(sorted(set(os.listdir("/dev")) - known), [])


@probe
def engine_socket_is_absent():
    return expect([path for path in ("/var/run/docker.sock", "/run/containerd/containerd.sock") if os.path.exists(path)], [])


@probe
def only_pipes_and_own_files_are_open():
    """A directory or a file of the host among the descriptors would be a way out."""
    extra = []
    for name in os.listdir("/proc/self/fd"):
        try:
            mode = os.fstat(int(name)).st_mode
            target = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue
        own = target.startswith(("/proc/", "/run/job/", "/workspace")) or target == "/dev/null"
        if not (own or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            extra.append(target)
    return expect(extra, [])


# Kernel surface


@probe
def user_is_not_root():
    return None if os.getuid() != 0 and os.geteuid() != 0 else "it is root"


@probe
def no_capabilities():
    return expect({status(name) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}, {"0" * 16})


@probe
def no_new_privileges():
    return expect(status("NoNewPrivs"), "1")


@probe
def calls_are_filtered():
    return expect(status("Seccomp"), "2")


@probe
def namespaces_cannot_be_made():
    return refused(syscall, 272, 0x10000000)


@probe
def mounting_is_refused():
    return refused(syscall, 165, 0, 0, 0, 0, 0) if call_denied(165) else "the kernel looked at it"


def call_denied(number):
    """Whether the filter answers, before the kernel looks at the arguments."""
    ctypes.set_errno(0)
    LIBC.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1)
    return ctypes.get_errno() in (errno.EPERM, errno.ENOSYS)


def denied(number):
    return None if call_denied(number) else "the kernel looked at it: errno %d" % ctypes.get_errno()


@probe
def tracing_is_refused():
    return denied(101)


@probe
def foreign_memory_is_refused():
    return denied(310)


@probe
def bpf_is_refused():
    return denied(321)


@probe
def io_uring_is_refused():
    return denied(425)


@probe
def perf_is_refused():
    return denied(298)


@probe
def key_rings_are_refused():
    return denied(250)


@probe
def userfaultfd_is_refused():
    return denied(323)


@probe
def modules_are_refused():
    return denied(313)


@probe
def file_handles_are_refused():
    return denied(304)


@probe
def rare_sockets_are_refused():
    opened = []
    for family in (38, 40, 17, 33, 44, 16 + 15):
        try:
            socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_SEQPACKET).close()
            opened.append(family)
        except OSError:
            pass
    return expect(opened, [])


def bind(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path)


def bind_one_of_a_pair(path):
    """A datagram socket can be parted from the other of its pair."""
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with left, right:
        left.bind(path)


@probe
def sockets_cannot_be_shared():
    """What two sandboxes can both name would let descriptors pass between them."""
    open("/workspace/caisson-probe", "w").close()
    os.unlink("/workspace/caisson-probe")
    return refused(bind, "/workspace/caisson-probe") or refused(bind_one_of_a_pair, "/workspace/caisson-probe")


@probe
def sockets_work_in_private():
    for pair in socket.socketpair():
        pair.close()
    if os.environ["DOCTOR_SOCKETS"] == "PAIRS_ONLY":
        return refused(bind, "/tmp/caisson-probe")
    for place in ("/tmp/caisson-probe", "/dev/shm/caisson-probe", "\0caisson-probe"):
        bind(place)
    os.unlink("/tmp/caisson-probe")
    os.unlink("/dev/shm/caisson-probe")
    return None


@probe
def kernel_memory_is_absent():
    return unreadable("/proc/kcore") or unreadable("/proc/kallsyms")


@probe
def kernel_settings_are_read_only():
    return refused(os.open, "/proc/sys/kernel/core_pattern", os.O_WRONLY)


@probe
def system_request_key_is_absent():
    return refused(os.open, "/proc/sysrq-trigger", os.O_WRONLY) if unwritable("/proc/sysrq-trigger") else "it can be opened"


def unwritable(path):
    return not os.access(path, os.W_OK) or stat.S_ISCHR(os.stat(path).st_mode)


@probe
def control_groups_are_out_of_reach():
    for path in ("/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/tasks", "/sys/fs/cgroup/release_agent"):
        if os.access(path, os.W_OK):
            return path + " can be written"
    return None


@probe
def there_is_no_terminal():
    return refused(os.open, "/dev/tty", os.O_RDWR)


@probe
def process_one_is_covered():
    return unreadable("/proc/1/mem") or unreadable("/proc/1/environ") or refused(os.readlink, "/proc/1/root")


# Network


@probe
def only_loopback_is_there():
    return expect([name for _, name in socket.if_nameindex() if name != "lo"], [])


def connect(address, port):
    with socket.socket() as connection:
        connection.settimeout(2)
        connection.connect((address, port))
        return "connected"


@probe
def the_internet_is_out_of_reach():
    return refused(connect, "1.1.1.1", 53)


@probe
def cloud_metadata_is_out_of_reach():
    return refused(connect, "169.254.169.254", 80)


@probe
def private_addresses_are_out_of_reach():
    return refused(connect, "10.0.0.1", 80)


@probe
def the_servers_loopback_is_another():
    return refused(connect, "127.0.0.1", int(os.environ["DOCTOR_PORT"]))


# Resources


@probe
def core_dumps_are_off():
    return expect(resource.getrlimit(resource.RLIMIT_CORE), (0, 0))


@probe
def files_are_limited_in_size():
    return None if resource.getrlimit(resource.RLIMIT_FSIZE)[1] > 0 else "there is no limit"


@probe
def open_files_end():
    opened = []
    try:
        for _ in range(100_000):
            opened.append(os.dup(0))
        return "100,000 were opened"
    except OSError:
        return None
    finally:
        for descriptor in opened:
            os.close(descriptor)


@probe
def terminals_end():
    opened = []
    most = int(os.environ["DOCTOR_TERMINALS"])
    try:
        for _ in range(most + 1):
            opened.append(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
        return "%d were opened" % len(opened)
    except OSError:
        return None
    finally:
        for descriptor in opened:
            os.close(descriptor)


@probe
def tmp_ends():
    place = os.statvfs("/tmp")
    size = place.f_blocks * place.f_frsize
    return None if size <= int(os.environ["DOCTOR_TMP_BYTES"]) else "it has %d bytes" % size


@probe
def shared_memory_ends():
    place = os.statvfs("/dev/shm")
    size = place.f_blocks * place.f_frsize
    return None if size <= int(os.environ["DOCTOR_TMP_BYTES"]) else "it has %d bytes" % size


# Neighbours


@probe
def other_processes_are_out_of_sight():
    seen = [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 100]
    return expect(seen, [])


@probe
def the_server_cannot_be_signalled():
    try:
        os.kill(int(os.environ["DOCTOR_SERVER"]), 0)
        return "it was found"
    except OSError:
        return None


@probe
def shared_memory_is_private():
    return expect(os.listdir("/dev/shm"), [])


@probe
def message_queues_are_private():
    with open("/proc/sysvipc/shm") as lines:
        return expect(len(lines.readlines()), 1)


@probe
def the_hosts_name_is_hidden():
    return None if socket.gethostname() != os.environ["DOCTOR_HOST"] else "it is " + socket.gethostname()


@probe
def the_servers_environment_is_hidden():
    return expect([name for name in os.environ if name.startswith(("JAVA", "CAISSON", "MCP_", "AWS_"))], [])


def main():
    for each in PROBES:
        try:
            found = each()
        except Exception as problem:
            found = "the probe failed: %r" % (problem,)
        print("%s\t%s" % (each.__name__, "held" if found is None else str(found).replace("\n", " ")), flush=True)


main()
