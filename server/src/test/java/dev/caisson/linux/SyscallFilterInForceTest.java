package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The filter in force in a real sandbox, which is started once: filters are not for loading often.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SyscallFilterInForceTest {
    private final ShellInSandbox shell;

    SyscallFilterInForceTest(@TempDir Path directory) throws IOException {
        var filter = Files.write(directory.resolve("filter"), SyscallFilter.compile());
        shell = ShellInSandbox.start(filter);
    }

    @AfterAll
    void end() {
        shell.close();
    }

    @BeforeAll
    void it_is_in_force() {
        assertThat(shell.run("grep Seccomp: /proc/self/status").output()).endsWith("2");
    }

    @Test
    void every_call_left_out_on_purpose_is_refused() {
        var names = SyscallPolicy.REFUSED.values().stream().flatMap(List::stream).toList();
        var numbers =
                names.stream()
                        .map(name -> "(%d,'%s')".formatted(numberOf(name), name))
                        .collect(Collectors.joining(","));
        var answer =
                python(
                        """
                        import ctypes
                        libc = ctypes.CDLL(None, use_errno=True)
                        for number, name in [%s]:
                            ctypes.set_errno(0)
                            result = libc.syscall(number, 0, 0, 0, 0, 0, 0)
                            if result != -1 or ctypes.get_errno() != 1:
                                print(name, result, ctypes.get_errno())
                        print("tried")
                        """
                                .formatted(numbers));
        assertThat(answer.output()).isEqualTo("tried");
        assertThat(names).hasSizeGreaterThan(60);
    }

    @Test
    void what_loads_programs_into_the_kernel_is_refused() {
        var answer =
                python(
                        """
                        import ctypes, socket, struct
                        s = socket.socket()
                        program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
                        fprog = struct.pack("HP", 1, ctypes.addressof(program))
                        for level, option, value in [(1, 26, fprog), (1, 51, fprog), (1, 50, b"0000"), (6, 31, b"tls")]:
                            try:
                                s.setsockopt(level, option, value)
                                print("let through", option)
                            except OSError as refused:
                                print(refused.errno, end=" ")
                        print(ctypes.CDLL(None).prctl(22, 2, 0, 0, 0))
                        """);
        assertThat(answer.output()).isEqualTo("1 1 1 1 -1");
    }

    @Test
    void sockets_of_other_families_are_refused() {
        var answer =
                python(
                        """
                        import socket
                        tried = 0
                        for family in [f for f in range(1, 46) if f not in (1, 2, 10, 16)]:
                            tried += 1
                            try:
                                socket.socket(family, socket.SOCK_DGRAM)
                                print("let through", family)
                            except OSError as refused:
                                assert refused.errno == 1, (family, refused)
                        print(tried)
                        """);
        assertThat(answer.output()).isEqualTo("41");
    }

    @Test
    void python_works() {
        var answer =
                python(
                        """
                        import asyncio, multiprocessing, os, signal, socket, sqlite3, subprocess, tempfile, threading, time
                        from concurrent.futures import ProcessPoolExecutor
                        thread = threading.Thread(target=time.sleep, args=(0.01,)); thread.start(); thread.join()
                        context = multiprocessing.get_context("fork")
                        with ProcessPoolExecutor(2, context) as pool:
                            assert list(pool.map(abs, [-1, -2])) == [1, 2]
                        queue = context.Queue()
                        child = context.Process(target=queue.put, args=(7,)); child.start()
                        assert queue.get() == 7; child.join()
                        async def main():
                            server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
                            port = server.sockets[0].getsockname()[1]
                            reader, _ = await asyncio.open_connection("127.0.0.1", port)
                            assert await reader.read() == b""
                            echo = await asyncio.create_subprocess_exec("echo", "hi", stdout=subprocess.PIPE)
                            assert (await echo.communicate())[0] == b"hi\\n"
                        asyncio.run(main())
                        with tempfile.TemporaryDirectory() as d:
                            db = sqlite3.connect(d + "/x.db"); db.execute("pragma journal_mode=wal")
                            db.execute("create table t(x)"); db.commit()
                            os.mkfifo(d + "/fifo"); os.chmod(d, 0o700)
                        assert subprocess.run("echo $((1+1))", shell=True, capture_output=True).stdout == b"2\\n"
                        signal.setitimer(signal.ITIMER_REAL, 0)
                        pty = os.openpty()
                        print("works", os.ttyname(pty[1]) != "")
                        """);
        assertThat(answer).isEqualTo(new ShellInSandbox.Answer(0, "works True"));
    }

    @Test
    void node_works() {
        var script =
                """
                const {execFileSync} = require('child_process');
                const {Worker} = require('worker_threads');
                const net = require('net');
                const fs = require('fs');
                fs.mkdtempSync('/tmp/x');
                const worker = new Worker('require("worker_threads").parentPort.postMessage(5)', {eval: true});
                worker.on('message', five => {
                  const server = net.createServer(s => s.end('bye')).listen(0, '127.0.0.1', () => {
                    net.connect(server.address().port, '127.0.0.1').on('data', d => {
                      console.log(five, String(d), String(execFileSync('echo', ['hi'])).trim());
                      server.close();
                    });
                  });
                });
                """;
        assertThat(feed("node", script)).isEqualTo(new ShellInSandbox.Answer(0, "5 bye hi"));
    }

    @Test
    void bash_works() {
        var script = "set -e; a=($(seq 3 | sort -r)); cat <(echo ${a[@]}) | tr 1-3 a-c & wait";
        assertThat(feed("bash", script)).isEqualTo(new ShellInSandbox.Answer(0, "c b a"));
    }

    private ShellInSandbox.Answer python(String script) {
        return feed("/usr/bin/python3", script);
    }

    private ShellInSandbox.Answer feed(String interpreter, String script) {
        return shell.run(
                "%s <<'END_OF_SCRIPT'\n%s\nEND_OF_SCRIPT\n".formatted(interpreter, script));
    }

    private static int numberOf(String name) {
        try (var library = LibSeccomp.open(0).orElseThrow()) {
            return library.number(name);
        }
    }
}
