package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the kernel has a fixed number of, for the whole machine or for each user of it, ends for a
/// program before others miss it; and what people do with a few of them works.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class KernelShareContractTest {
    private final Rig rig;

    KernelShareContractTest(Rig rig) {
        this.rig = rig;
    }

    private String python(String code) throws InterruptedException {
        var result = rig.run(Language.PYTHON, code);
        assertThat(result.stderr()).isEmpty();
        return result.stdout();
    }

    @Test
    void pseudo_terminals_end_at_their_number() throws Exception {
        assertThat(
                        python(
                                """
                                import errno, os
                                def most():
                                    opened = []
                                    try:
                                        for _ in range(200):
                                            opened.append(os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY))
                                    except OSError as e:
                                        return len(opened), errno.errorcode[e.errno]
                                    finally:
                                        for each in opened:
                                            os.close(each)
                                print(*most())
                                print(*most())
                                """))
                .isEqualTo("16 ENOSPC\n16 ENOSPC\n");
    }

    @Test
    void a_program_that_needs_a_terminal_has_one() throws Exception {
        assertThat(
                        python(
                                """
                                import os, pty, subprocess
                                ours, theirs = pty.openpty()
                                print(os.isatty(theirs), os.ttyname(theirs).startswith('/dev/pts/'))
                                pid, terminal = pty.fork()
                                if pid == 0:
                                    os.execv('/bin/sh', ['sh', '-c', 'test -t 0 && test -t 1 && echo on a terminal'])
                                print(os.read(terminal, 100).decode().strip(), os.waitpid(pid, 0)[1])
                                """))
                .isEqualTo("True True\non a terminal 0\n");
    }

    @Test
    void a_typescript_of_a_session_can_be_made() throws Exception {
        var result =
                rig.run(Language.BASH, "script -qec 'test -t 1 && echo terminal' /tmp/typescript");
        assertThat(result.stdout()).as(result.stderr()).contains("terminal");
    }

    /// The kernel counts these for a user, and no two sandboxes have the same.
    @Test
    void who_takes_all_that_a_user_has_takes_it_from_nobody_else() throws Exception {
        var shared = new Workspace.Directory(rig.workspace());
        try (var beside = Executors.newSingleThreadExecutor()) {
            var greedy = beside.submit(() -> rig.run(Language.PYTHON, ALL_OF_A_USER, shared));
            var modest =
                    rig.run(
                            Language.PYTHON,
                            """
                            import ctypes, fcntl, os, time
                            while not os.path.exists('/workspace/full'):
                                time.sleep(0.01)
                            libc = ctypes.CDLL(None, use_errno=True)
                            print(libc.inotify_init() >= 0, fcntl.fcntl(os.pipe()[1], 1031, 1 << 20) >= 1 << 20)
                            open('/workspace/done', 'w').close()
                            """,
                            shared);
            assertThat(modest.stdout()).as(modest.stderr()).isEqualTo("True True\n");
            assertThat(greedy.get(60, TimeUnit.SECONDS).stdout()).isEqualTo("True True\n");
        }
    }

    private static final String ALL_OF_A_USER =
            """
            import ctypes, fcntl, os, time
            libc = ctypes.CDLL(None, use_errno=True)
            instances = 0
            while instances < 900 and libc.inotify_init() >= 0:
                instances += 1
            pipes = 0
            try:
                while pipes < 100:
                    fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)
                    pipes += 1
            except PermissionError:
                pass
            print(0 < instances < 900, 0 < pipes < 100)
            open('/workspace/full', 'w').close()
            while not os.path.exists('/workspace/done'):
                time.sleep(0.01)
            """;

    @Test
    void what_counts_for_the_whole_machine_is_refused_or_a_sandboxs_own() throws Exception {
        assertThat(
                        python(
                                """
                                import ctypes, os
                                libc = ctypes.CDLL(None, use_errno=True)
                                def refused(number, *words):
                                    return libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, words)) == -1
                                context = ctypes.c_ulong(0)
                                aio = refused(206, 1, ctypes.addressof(context))
                                keys = refused(250, 0, -3, 1)
                                fanotify = refused(300, 0, 0)
                                namespaces = refused(272, 0x10000000)
                                queue = libc.mq_open(b'/q', os.O_CREAT | os.O_RDWR, 0o600, None)
                                print(aio, keys, fanotify, namespaces, queue >= 0)
                                """))
                .isEqualTo("True True True True True\n");
    }
}
