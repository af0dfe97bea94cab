package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a hostile program finds when it looks around. Each probe is a Python expression that is
/// true when the wall holds.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class IsolationContractTest {
    private static final String PRELUDE =
            """
            import ctypes, errno, fcntl, os, socket, stat, struct, sys
            libc = ctypes.CDLL(None, use_errno=True)
            def refused(f, *args, errors=(errno.EPERM, errno.EACCES, errno.EROFS, errno.ENOENT, errno.ENOSYS, errno.EINVAL, errno.ESRCH, errno.EAFNOSUPPORT, errno.ENXIO)):
                try:
                    f(*args)
                    return False
                except OSError as e:
                    return e.errno in errors
            def call(number, *args):
                ctypes.set_errno(0)
                result = libc.syscall(number, *args)
                return ctypes.get_errno() if result < 0 else 0
            def denied(number, *args):
                return call(number, *args) in (errno.EPERM, errno.ENOSYS)
            def status(name):
                return next(l.split(None, 1)[1].strip() for l in open('/proc/self/status') if l.startswith(name + ':'))
            def opens(path, flags=os.O_RDONLY):
                fd = os.open(path, flags); os.close(fd)
            def mounts():
                return {l.split()[4]: (l.split()[5].split(','), l.split(' - ')[1].split()) for l in open('/proc/self/mountinfo')}
            """;

    private static final List<String> PROBES =
            List.of(
                    // files
                    "refused(opens, '/etc/shadow')",
                    "refused(os.listdir, '/root')",
                    "not os.path.exists('/sys/kernel')",
                    "sorted(os.listdir('/home')) == ['baponi']",
                    "refused(opens, '/usr/bin/new', os.O_CREAT | os.O_WRONLY)",
                    "refused(opens, '/etc/new', os.O_CREAT | os.O_WRONLY)",
                    "refused(opens, '/new', os.O_CREAT | os.O_WRONLY)",
                    "refused(opens, '/run/job/main.py', os.O_WRONLY)",
                    "refused(opens, '/run/guest/python/sitecustomize.py', os.O_WRONLY)",
                    "refused(os.mknod, '/tmp/disk', stat.S_IFBLK | 0o666, os.makedev(254, 0))",
                    "refused(os.mknod, '/workspace/null', stat.S_IFCHR | 0o666, os.makedev(1, 3))",
                    "refused(os.chmod, '/dev/null', 0o600)",
                    "refused(os.chown, '/tmp', 0, 0)",
                    "sorted(os.listdir('/dev')) == ['core', 'fd', 'full', 'null', 'ptmx', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero']",
                    "{'nosuid', 'nodev'} <= set(mounts()['/workspace'][0])",
                    "{'nosuid', 'nodev'} <= set(mounts()['/tmp'][0])",
                    "'ro' in mounts()['/'][0] and 'ro' in mounts()['/usr'][0] and 'ro' in mounts()['/proc'][0]",
                    // processes and /proc
                    "[p for p in sorted(os.listdir('/proc')) if p.isdigit()] == ['1', str(os.getpid())]",
                    "os.getppid() == 1",
                    "refused(opens, '/proc/1/mem', os.O_RDWR)",
                    "refused(opens, '/proc/1/root/etc/shadow')",
                    "open('/proc/1/environ').read() == ''",
                    "refused(opens, '/proc/sys/kernel/msgmax', os.O_WRONLY)",
                    "refused(opens, '/proc/sys/kernel/core_pattern', os.O_WRONLY)",
                    "refused(opens, '/proc/sysrq-trigger', os.O_WRONLY)",
                    "refused(opens, '/proc/kcore')",
                    "refused(opens, '/proc/kallsyms')",
                    "refused(opens, '/proc/cmdline')",
                    "refused(opens, '/proc/keys')",
                    "refused(opens, '/proc/self/oom_score_adj', os.O_WRONLY)",
                    // privileges
                    "all(set(status(c)) == {'0'} for c in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'))",
                    "status('NoNewPrivs') == '1' and status('Seccomp') == '2'",
                    "os.getresuid() == (1000, 1000, 1000) and os.getgroups() in ([], [1000])",
                    "refused(os.setuid, 0) and refused(os.setgid, 0) and refused(os.setgroups, [0])",
                    "refused(os.chroot, '/tmp')",
                    // kernel surface: mount, umount2, pivot_root, unshare, setns, ptrace,
                    // process_vm_readv
                    "denied(165, b'none', b'/tmp', b'tmpfs', 0, None)",
                    "denied(166, b'/tmp', 2)",
                    "denied(155, b'/tmp', b'/tmp')",
                    "denied(272, 0x10000000)",
                    "denied(308, 0, 0)",
                    "denied(101, 0, 0, 0, 0)",
                    "denied(310, 1, None, 0, None, 0, 0)",
                    // bpf, perf_event_open, userfaultfd, io_uring_setup, keyctl, add_key,
                    // kexec_load, init_module
                    "denied(321, 0, None, 0)",
                    "denied(298, None, 0, -1, -1, 0)",
                    "denied(323, 0)",
                    "denied(425, 1, None)",
                    "denied(250, 0, -3, 1)",
                    "denied(248, b'user', b'x', b'y', 1, -3)",
                    "denied(246, 0, 0, None, 0)",
                    "denied(175, None, 0, b'')",
                    // pidfd_getfd, kcmp, open_by_handle_at, personality, clone with a new user
                    // namespace, clone3
                    "denied(438, 0, 0, 0)",
                    "denied(312, 1, 1, 0, 0, 0)",
                    "denied(304, 0, None, 0)",
                    "denied(56, 0x10000000 | 17, None, None, None, 0)",
                    "call(435, None, 0) == errno.ENOSYS",
                    "denied(428, -100, b'/', 1)",
                    "denied(442, -100, b'/', 0, None, 0)",
                    // network
                    "refused(socket.socket, 40, socket.SOCK_STREAM)",
                    "refused(socket.socket, socket.AF_PACKET, socket.SOCK_RAW)",
                    "refused(socket.socket, 38, socket.SOCK_SEQPACKET)",
                    "refused(socket.socket, socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
                    "[name for _, name in socket.if_nameindex()] == ['lo']",
                    "refused(socket.create_connection, ('1.1.1.1', 53), 2, errors=(errno.ENETUNREACH,))",
                    "refused(socket.create_connection, ('169.254.169.254', 80), 2, errors=(errno.ENETUNREACH,))",
                    "refused(socket.create_connection, ('127.0.0.1', 22), 2, errors=(errno.ECONNREFUSED,))",
                    "open('/proc/net/unix').read().count(chr(10)) == 1",
                    // terminals and sessions
                    "refused(opens, '/dev/tty', os.O_RDWR)",
                    "socket.gethostname() == 'sandbox'");

    private final Rig rig;

    IsolationContractTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void every_layer_is_in_force() {
        var isolation = rig.sandboxes().isolation();
        assertThat(isolation.missing()).isEmpty();
        assertThat(isolation.tier()).isEqualTo(Tier.FULL);
        assertThat(isolation.inForce()).hasSize(Layer.values().length).hasSizeGreaterThan(10);
        assertThat(isolation.refusal()).isEmpty();
    }

    @Test
    void every_probe_from_inside_finds_its_wall() throws Exception {
        var code = new StringBuilder(PRELUDE).append("held = 0\n");
        for (var probe : PROBES) {
            var quoted = "\"\"\"" + probe + "\"\"\"";
            code.append("try:\n    ok = eval(")
                    .append(quoted)
                    .append(")\nexcept BaseException as e:\n    ok = False; print(repr(e))\n");
            code.append("if ok: held += 1\nelse: print('BROKEN', ").append(quoted).append(")\n");
        }
        code.append("print(held)\n");
        var result = rig.run(Language.PYTHON, code.toString());
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo(PROBES.size() + "\n");
        assertThat(PROBES).hasSizeGreaterThan(60);
    }

    @Test
    void neighbours_cannot_see_each_other() throws Exception {
        var first =
                """
                import os, socket, time
                open('/tmp/mark', 'w').write('x'); open('/dev/shm/mark', 'w').write('x')
                s = socket.socket(socket.AF_UNIX); s.bind('\\0mark'); s.listen()
                t = socket.socket(); t.bind(('127.0.0.1', 5555)); t.listen()
                open('/workspace/listens', 'w').close()
                while not os.path.exists('/workspace/over'): time.sleep(0.01)
                """;
        var second =
                """
                import os, socket
                print(os.listdir('/tmp'), os.listdir('/dev/shm'), os.listdir('/workspace'), len([p for p in os.listdir('/proc') if p.isdigit()]))
                for family, address in ((socket.AF_UNIX, '\\0mark'), (socket.AF_INET, ('127.0.0.1', 5555))):
                    try:
                        socket.socket(family).connect(address); print('reached')
                    except ConnectionRefusedError: print('refused')
                """;
        var workspace = rig.workspace();
        Rig.Result found;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var neighbour =
                    threads.submit(() ->
                            rig.run(Language.PYTHON, first, new Workspace.Directory(workspace)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(workspace.resolve("listens")));
            found = rig.run(Language.PYTHON, second);
            Files.createFile(workspace.resolve("over"));
            assertThat(neighbour.get().code()).isZero();
        }
        assertThat(found.stdout()).isEqualTo("[] [] [] 2\nrefused\nrefused\n");
    }

    @Test
    void files_belong_to_the_same_owner_on_disk_whoever_ran() throws Exception {
        var workspace = rig.workspace();
        rig.run(
                Language.BASH,
                "echo a > a; mkdir d; ln -s /etc/passwd link; chmod 6777 a",
                Rig.LIMITS,
                workspace,
                Map.of());
        var again =
                rig.run(
                        Language.BASH,
                        "cat a; rm -r a d; stat -c %u .",
                        Rig.LIMITS,
                        workspace,
                        Map.of());
        assertThat(again.stdout()).isEqualTo("a\n1000\n");
        assertThat(
                        Files.getAttribute(
                                workspace.resolve("link"),
                                "unix:uid",
                                java.nio.file.LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(Workspace.OWNER);
    }

    @Test
    void the_servers_environment_and_files_are_out_of_reach() throws Exception {
        var result =
                rig.run(
                        Language.BASH,
                        "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; ls "
                                + Path.of("").toAbsolutePath()
                                + " /var/lib /opt 2>&1 | grep -v 'No such file'");
        assertThat(result.stdout())
                .doesNotContain("JAVA_HOME")
                .doesNotContain("MAVEN")
                .doesNotContain("pom.xml");
    }
}
