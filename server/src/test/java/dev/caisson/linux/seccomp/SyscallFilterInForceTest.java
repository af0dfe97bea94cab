package dev.caisson.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.ShellInSandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The filter in force in a real sandbox, which is started once: filters are not for loading often.
class SyscallFilterInForceTest extends FilteredShellTestCase {
    SyscallFilterInForceTest(@TempDir Path directory) throws IOException {
        super(directory);
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
        assertThat(answer.output()).isEqualTo("92 92 92 92 -1");
    }

    @Test
    void options_of_sockets_that_no_program_needs_do_not_exist() {
        var answer =
                python(
                        """
                        import socket
                        four, six = socket.socket(), socket.socket(socket.AF_INET6)
                        udp = socket.socket(type=socket.SOCK_DGRAM)
                        route = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
                        one = b"\\1\\0\\0\\0"
                        for s, level, option, value in [
                            (four, 1, 60, one), (four, 0, 4, b""), (four, 0, 64, one), (four, 6, 13, b"reno"),
                            (six, 41, 57, b""), (six, 41, 1, one), (udp, 17, 100, one), (route, 270, 1, one)]:
                            try:
                                s.setsockopt(level, option, value)
                                print("let through", level, option)
                            except OSError as refused:
                                print(refused.errno, end=" ")
                        """);
        assertThat(answer.output()).isEqualTo("92 92 92 92 92 92 92 92");
    }

    /// The types that reach below what a connection carries, and rare ones.
    @Test
    void sockets_of_other_types_are_refused() {
        var answer =
                python(
                        """
                        import socket
                        for family, type in [(2, 3), (2, 4), (2, 5), (2, 10), (10, 3), (10, 5), (1, 3), (16, 1)]:
                            try:
                                socket.socket(family, type)
                                print("let through", family, type)
                            except OSError as refused:
                                print(refused.errno, end=" ")
                            if family == 1:
                                try:
                                    socket.socketpair(family, type)
                                    print("let through", family, type)
                                except OSError as refused:
                                    print("pair", refused.errno, end=" ")
                        """);
        assertThat(answer.output()).isEqualTo("1 1 1 1 1 1 1 pair 1 1");
    }

    @Test
    void flags_of_file_systems_and_protocols_of_terminals_are_no_requests_here() {
        var answer =
                python(
                        """
                        import fcntl, os, socket, tempfile
                        file = tempfile.TemporaryFile()
                        main, other = os.openpty()
                        s = socket.socket()
                        for fd, request, argument in [
                            (file, 0x40086602, b"\\x80" + bytes(7)), (file, 0x80086601, bytes(8)),
                            (file, 0xC020660B, bytes(64)), (file, 0x40049409, 0), (file, 0xFF0B, 0),
                            (other, 0x5412, b"x"), (other, 0x5423, bytes(4)), (other, 0x541C, b"\\2"),
                            (s, 0x8946, bytes(40)), (s, 0x8914, bytes(40))]:
                            try:
                                fcntl.ioctl(fd, request, argument)
                                print("let through", hex(request))
                            except OSError as refused:
                                print(refused.errno, end=" ")
                        """);
        assertThat(answer.output()).isEqualTo("25 25 25 25 25 25 25 25 25 25");
    }

    /// A lease on a file that others open holds them up, the server among them.
    @Test
    void there_are_no_leases_and_no_notices() {
        var answer =
                python(
                        """
                        import fcntl, os
                        open("/tmp/leased", "w").close()
                        file, directory = os.open("/tmp/leased", os.O_RDONLY), os.open("/tmp", os.O_RDONLY)
                        for fd, command, argument in [
                            (file, fcntl.F_SETLEASE, fcntl.F_RDLCK), (file, fcntl.F_GETLEASE, 0),
                            (directory, fcntl.F_NOTIFY, fcntl.DN_CREATE), (file, 10, 12)]:
                            try:
                                fcntl.fcntl(fd, command, argument)
                                print("let through", command)
                            except OSError as refused:
                                print(refused.errno, end=" ")
                        """);
        assertThat(answer.output()).isEqualTo("22 22 22 22");
    }

    @Test
    void nobody_writes_out_the_whole_file_system_or_changes_speculation() {
        var answer =
                python(
                        """
                        import ctypes, os
                        libc = ctypes.CDLL(None, use_errno=True)
                        print(libc.syncfs(os.open("/tmp", os.O_RDONLY)), ctypes.get_errno())
                        for option, value in [(52, 0), (53, 4)]:
                            ctypes.set_errno(0)
                            print(libc.prctl(option, 0, value, 0, 0), ctypes.get_errno())
                        """);
        assertThat(answer.output().lines()).containsExactly("-1 1", "-1 1", "-1 1");
    }

    @Test
    void pages_do_not_move_between_descriptors() {
        var answer =
                python(
                        """
                        import ctypes, os
                        libc = ctypes.CDLL(None, use_errno=True)
                        (from_end, to_start), (other_end, other_start) = os.pipe(), os.pipe()
                        os.write(to_start, b"x")
                        print(libc.tee(from_end, other_start, 1, 0), ctypes.get_errno())
                        print(libc.splice(from_end, None, other_start, None, 1, 0), ctypes.get_errno())
                        print(os.read(from_end, 2))
                        """);
        assertThat(answer.output().lines()).containsExactly("-1 22", "-1 22", "b'x'");
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
        try (var library = LibSeccomp.open().orElseThrow()) {
            return library.number(name);
        }
    }
}
