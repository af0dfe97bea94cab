package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Who can reach the server from inside, and when.
@Tag("root")
@Tag("slow")
@ExtendWith(Rig.Shared.class)
abstract class DoorContractTest {
    private static final String CONNECT =
            """
            import os, socket
            def connect():
                host, port = os.environ["CAISSON_DOOR"].split(":")
                made = socket.create_connection((host, int(port)), 10)
                made.settimeout(20)
                return made
            def ask(made, word):
                try:
                    made.sendall(word)
                    return made.recv(100)
                except OSError:
                    return b""
            """;

    private final Rig rig;

    DoorContractTest(Rig rig) {
        this.rig = rig;
    }

    /// Says everything back, with a sign before it.
    private static final class Echo implements HostDoor {
        final AtomicInteger served = new AtomicInteger();
        final AtomicInteger shown = new AtomicInteger();
        final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final Optional<Path> wrappers;

        Echo() {
            this(Optional.empty());
        }

        Echo(Optional<Path> wrappers) {
            this.wrappers = wrappers;
        }

        @Override
        public Optional<Wrappers> wrappers() {
            return wrappers.map(directory -> {
                shown.incrementAndGet();
                return new Shown(directory);
            });
        }

        /// Files that are shown until nobody has them any more.
        private final class Shown implements Wrappers {
            private final Path directory;

            Shown(Path directory) {
                this.directory = directory;
            }

            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public void close() {
                shown.decrementAndGet();
            }
        }

        @Override
        public void serve(SocketChannel connection) throws java.io.IOException {
            served.incrementAndGet();
            try {
                var bytes = ByteBuffer.allocate(100).put((byte) '>');
                while (connection.read(bytes) >= 0) {
                    connection.write(bytes.flip());
                    bytes.clear().put((byte) '>');
                }
            } finally {
                ended.complete(null);
            }
        }
    }

    @Test
    void a_program_finds_the_address_and_is_answered() throws Exception {
        var echo = new Echo();
        var result =
                rig.run(
                        Language.PYTHON,
                        CONNECT
                                + """
                                print(open("/run/job/door").read().strip() == os.environ["CAISSON_DOOR"])
                                print(ask(connect(), b"hi"))
                                """,
                        echo);
        assertThat(result.stdout()).isEqualTo("True\nb'>hi'\n");
        assertThat(echo.served).hasValue(1);
        echo.ended.get(20, TimeUnit.SECONDS);
    }

    @Test
    void a_run_without_a_door_has_no_sign_of_one() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import os
                        print("CAISSON_DOOR" in os.environ, os.listdir("/run/job"))
                        print([line.split()[1] for line in open("/proc/net/tcp")][1:])
                        """);
        assertThat(result.stdout()).isEqualTo("False ['main.py']\n[]\n");
    }

    @Test
    void the_connections_of_a_run_end_with_it() throws Exception {
        var echo = new Echo();
        var result =
                rig.run(
                        Language.PYTHON,
                        CONNECT
                                + """
                                if os.fork() == 0:
                                    os.setsid()
                                    held = connect()
                                    print(ask(held, b"child"), flush=True)
                                    import time
                                    time.sleep(600)
                                os.wait3(os.WNOHANG)
                                import time
                                time.sleep(1)
                                """,
                        echo);
        assertThat(result.stdout()).contains(">child");
        echo.ended.get(20, TimeUnit.SECONDS);
    }

    @Test
    void who_has_too_many_connections_gets_no_more() throws Exception {
        var echo = new Echo();
        var result =
                rig.run(
                        Language.PYTHON,
                        CONNECT
                                + """
                                held = [connect() for _ in range(%d)]
                                print(sum(ask(each, b"x") == b">x" for each in held))
                                print(ask(connect(), b"x"))
                                held.pop().close()
                                import time
                                end = time.monotonic() + 20
                                while ask(connect(), b"x") != b">x" and time.monotonic() < end: pass
                                print(time.monotonic() < end)
                                """
                                        .formatted(DoorListener.CONNECTIONS_MAX),
                        echo);
        assertThat(result.stdout())
                .isEqualTo("%d\nb''\nTrue\n".formatted(DoorListener.CONNECTIONS_MAX));
        assertThat(echo.served).hasValue(DoorListener.CONNECTIONS_MAX + 1);
    }

    @Test
    void files_for_the_program_can_be_read_and_not_changed(@TempDir Path directory)
            throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(directory.resolve("github"));
        Files.writeString(directory.resolve("github/__init__.py"), "name = 'hub'\n");
        var echo = new Echo(Optional.of(directory));
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import os
                        print(open("/run/job/servers/github/__init__.py").read().strip())
                        for name in ("github/__init__.py", "other"):
                            try:
                                open("/run/job/servers/" + name, "w")
                            except OSError as refused:
                                print(refused.strerror)
                        """,
                        echo);
        assertThat(result.stdout())
                .isEqualTo("name = 'hub'\n" + "Read-only file system\n".repeat(2));
        assertThat(echo.shown).hasValue(0);
    }

    @Test
    void in_a_session_the_door_is_that_of_the_cell() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var first = new Echo();
            var opened = session.run(CONNECT + "made = connect()\nprint(ask(made, b'1'))", first);
            assertThat(opened.stdout()).isEqualTo("b'>1'\n");
            first.ended.get(20, TimeUnit.SECONDS);
            var without =
                    session.run("print(ask(made, b'2'), ask(connect(), b'3'))", HostDoor.CLOSED);
            assertThat(without.stdout()).isEqualTo("b'' b''\n");
            assertThat(first.served).hasValue(1);
            var second = new Echo();
            var again = session.run("print(ask(connect(), b'4'))", second);
            assertThat(again.stdout()).isEqualTo("b'>4'\n");
            assertThat(second.served).hasValue(1);
            assertThat(first.served).hasValue(1);
        }
    }

    @Test
    void files_of_a_session_stay_until_it_ends(@TempDir Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(directory.resolve("name"), "hub");
        var first = new Echo(Optional.of(directory));
        var second = new Echo(Optional.of(directory));
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            session.run("pass", first);
            assertThat(first.shown).hasValue(1);
            var said = session.run("print(open('/run/job/servers/name').read())", second);
            assertThat(said.stdout()).isEqualTo("hub\n");
            assertThat(second.shown).hasValue(0);
            assertThat(first.shown).hasValue(1);
        }
        assertThat(first.shown).hasValue(0);
    }

    @Test
    void a_daemon_of_a_session_reaches_nobody_between_cells() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var first = new Echo();
            session.run(
                    CONNECT
                            + """
                            if os.fork() == 0:
                                import time
                                answers = []
                                end = time.monotonic() + 3
                                while time.monotonic() < end:
                                    answers.append(ask(connect(), b"x"))
                                    time.sleep(0.05)
                                open("/workspace/said", "w").write(repr(set(answers)))
                                os.rename("/workspace/said", "/workspace/answers")
                                os._exit(0)
                            """,
                    first);
            int during = first.served.get();
            var read =
                    session.run(
                            """
                            import time
                            while not os.path.exists("/workspace/answers"): time.sleep(0.05)
                            print("b''" in open("/workspace/answers").read())
                            """,
                            HostDoor.CLOSED);
            assertThat(read.stdout()).isEqualTo("True\n");
            assertThat(first.served).hasValueLessThanOrEqualTo(during + 1);
        }
    }
}
