package dev.caisson.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.ShellInSandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/// What people run in sandboxes works under the filter. What a machine does not have is reported by
/// name; what every machine that builds this has must be there.
class RealProgramsUnderFilterTest extends FilteredShellTestCase {
    RealProgramsUnderFilterTest(@TempDir Path directory) throws IOException {
        super(directory);
    }

    @Test
    void pythons_own_library_works() {
        var answer =
                file(
                        """
                        import array, ctypes, fcntl, mmap, os, pty, resource, select, selectors, shutil, socket, sqlite3
                        import ssl, struct, subprocess, tempfile, termios, threading, urllib.request, zipfile
                        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
                        from multiprocessing import get_context, shared_memory
                        if __name__ == "__main__":
                            class Page(BaseHTTPRequestHandler):
                                def do_GET(self):
                                    self.send_response(200); self.end_headers(); self.wfile.write(b"page")
                                def log_message(self, *_): pass
                            server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
                            threading.Thread(target=server.serve_forever, daemon=True).start()
                            assert urllib.request.urlopen("http://127.0.0.1:%d/" % server.server_port).read() == b"page"
                            server.shutdown()
                            a, b = socket.socketpair(); s = socket.socket()
                            for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT, socket.SO_KEEPALIVE):
                                s.setsockopt(socket.SOL_SOCKET, option, 1)
                            for option in (socket.TCP_NODELAY, socket.TCP_KEEPIDLE, socket.TCP_CORK):
                                s.setsockopt(socket.IPPROTO_TCP, option, 1)
                            six = socket.socket(socket.AF_INET6)
                            six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                            socket.send_fds(a, [b"x"], [0]); assert socket.recv_fds(b, 9, 1)[0] == b"x"
                            assert socket.if_nametoindex("lo") == 1 and socket.if_nameindex()
                            for kind in ("fork", "spawn", "forkserver"):
                                with get_context(kind).Pool(2) as pool: assert pool.map(abs, [-1, 2]) == [1, 2]
                            memory = shared_memory.SharedMemory(create=True, size=64); memory.close(); memory.unlink()
                            with tempfile.NamedTemporaryFile() as file:
                                fcntl.flock(file, fcntl.LOCK_EX); fcntl.lockf(file, fcntl.LOCK_EX)
                                file.write(b"x" * 100000); file.flush()
                                assert shutil.copy(file.name, "/tmp/copied") == "/tmp/copied"
                                assert mmap.mmap(file.fileno(), 0)[0] == 120
                            assert sqlite3.connect("/tmp/a.db").execute("select 6*7").fetchone() == (42,)
                            ssl.create_default_context(); r, w = ssl.MemoryBIO(), ssl.MemoryBIO()
                            main, other = pty.openpty(); termios.tcgetattr(other); os.get_terminal_size(other)
                            assert pty.spawn(["true"]) == 0
                            end = os.pipe()[1]; fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 65536)
                            fcntl.fcntl(end, fcntl.F_SETOWN, os.getpid())
                            array.array("i", [0]); fcntl.ioctl(end, termios.FIONREAD, array.array("i", [0]))
                            assert subprocess.run(["cat", "/tmp/copied"], stdout=subprocess.PIPE).stdout == b"x" * 100000
                            assert ctypes.CDLL(None).getpid() == os.getpid()
                            print("works")
                        """);
        assertThat(answer).isEqualTo(new ShellInSandbox.Answer(0, "works"));
    }

    @Test
    void a_suite_of_tests_in_python_works() {
        var answer =
                feed(
                        "bash",
                        """
                        mkdir -p /tmp/suite && cd /tmp/suite
                        printf 'import unittest\\nclass T(unittest.TestCase):\\n  def test_it(self): self.assertEqual(1, 1)\\n' > test_it.py
                        python3 -m unittest -q 2>&1 | grep -o OK
                        """);
        assertThat(answer.output()).isEqualTo("OK");
    }

    /// Debian's packages, which not every machine has.
    @Test
    void libraries_of_python_that_are_installed_work(TestReporter reporter) {
        var answer =
                feed(
                        "/usr/bin/python3",
                        """
                        import importlib.util, io, os, subprocess
                        def has(name): return importlib.util.find_spec(name) is not None
                        if has("numpy"):
                            import numpy
                            a = numpy.arange(250000.0).reshape(500, 500)
                            assert numpy.linalg.norm(a @ a) > 0
                            numpy.save("/tmp/a.npy", a); assert numpy.load("/tmp/a.npy", mmap_mode="r").sum() == a.sum()
                        if has("pandas"):
                            import pandas
                            frame = pandas.read_csv(io.StringIO("k,v\\na,1\\nb,2\\na,3"))
                            assert frame.groupby("k").v.sum().to_dict() == {"a": 4, "b": 2}
                            frame.to_csv("/tmp/frame.csv")
                        if has("pytest"):
                            os.makedirs("/tmp/pytested", exist_ok=True)
                            open("/tmp/pytested/test_it.py", "w").write("def test_it(tmp_path, capfd): print(tmp_path)\\n")
                            run = subprocess.run(["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "/tmp/pytested"], capture_output=True)
                            assert b"1 passed" in run.stdout, run
                        print(*(name + (" works" if has(name) else " is not installed") for name in ("numpy", "pandas", "pytest")), sep=", ")
                        """);
        assertThat(answer.code()).as(answer.output()).isZero();
        assertThat(answer.output().split(", ", -1)).hasSize(3);
        reporter.publishEntry(answer.output());
    }

    @Test
    void node_works() {
        var answer =
                feed(
                        "node",
                        """
                        const {execFileSync, fork, spawn} = require('child_process');
                        const {once} = require('events');
                        const {Worker} = require('worker_threads');
                        const fs = require('fs'), http = require('http'), net = require('net'), dgram = require('dgram');
                        (async () => {
                          fs.writeFileSync('/tmp/source', 'x'.repeat(200000));
                          fs.copyFileSync('/tmp/source', '/tmp/target');
                          await fs.promises.cp('/tmp/source', '/tmp/target2');
                          await fs.promises.appendFile('/tmp/target', 'y');
                          fs.createReadStream('/tmp/source').pipe(fs.createWriteStream('/tmp/piped'));
                          fs.watch('/tmp').close();
                          const server = http.createServer((q, s) => fs.createReadStream('/tmp/source').pipe(s)).listen(0, '127.0.0.1');
                          await once(server, 'listening');
                          const page = await (await fetch('http://127.0.0.1:' + server.address().port)).text();
                          server.close(); server.closeAllConnections();
                          const local = net.createServer(s => s.setNoDelay().setKeepAlive(true).end('local')).listen('/tmp/node.sock');
                          await once(local, 'listening');
                          const [said] = await once(net.connect('/tmp/node.sock'), 'data'); local.close();
                          const udp = dgram.createSocket('udp4'); udp.bind(0, '127.0.0.1'); await once(udp, 'listening');
                          udp.setBroadcast(true); udp.setTTL(3); udp.close();
                          const worker = new Worker('require("worker_threads").parentPort.postMessage(5)', {eval: true});
                          const [five] = await once(worker, 'message');
                          fs.writeFileSync('/tmp/child.js', 'process.send(process.argv[2])');
                          const [eight] = await once(fork('/tmp/child.js', ['8']), 'message');
                          const cat = spawn('cat'); cat.stdin.end('meow'); const [meow] = await once(cat.stdout, 'data');
                          console.log(page.length, String(said), five, eight, String(meow), String(execFileSync('wc', ['-c', '/tmp/target'])).trim());
                        })();
                        """);
        assertThat(answer)
                .isEqualTo(
                        new ShellInSandbox.Answer(0, "200000 local 5 8 meow 200001 /tmp/target"));
    }

    @Test
    void npm_runs_the_tests_of_a_package() {
        var answer =
                feed(
                        "bash",
                        """
                        export HOME=/tmp/npm; mkdir -p $HOME/package && cd $HOME/package
                        echo '{"name":"tiny","version":"1.0.0","scripts":{"test":"node --test"}}' > package.json
                        echo 'require("node:test")("it", () => require("assert").equal(1, 1))' > it.test.js
                        npm test --offline --no-update-notifier 2>&1 | grep -E 'pass|fail'
                        """);
        assertThat(answer.output().replaceAll("[^a-z0-9 \n]", "").lines().map(String::strip))
                .containsExactly("pass 1", "fail 0");
    }

    @Test
    void git_works() {
        var answer =
                feed(
                        "bash",
                        """
                        export HOME=/tmp/git GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
                        set -e; mkdir -p $HOME && cd $HOME && git init -q one && cd one
                        echo hi > file && git add file && git commit -qm first && git gc -q
                        git clone -q . ../two && cd ../two && git log --format=%s && git fsck --full 2>&1 | grep -c error || true
                        """);
        assertThat(answer.output().lines()).containsExactly("first", "0");
    }

    @Test
    void a_compiler_and_what_it_made_work(TestReporter reporter) {
        var answer =
                feed(
                        "bash",
                        """
                        command -v gcc >/dev/null || { echo "gcc is not installed"; exit 0; }
                        cd /tmp && printf '#include <stdio.h>\\n#include <pthread.h>\\nvoid *f(void *x) { return x; }\\n' > it.c
                        printf 'int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); puts("made"); }\\n' >> it.c
                        gcc -O2 -pipe -pthread it.c -o it && ./it
                        """);
        assertThat(answer.output()).isIn(List.of("made", "gcc is not installed"));
        reporter.publishEntry("gcc: " + answer.output());
    }

    @Test
    void archives_and_copies_work() {
        var answer =
                feed(
                        "bash",
                        """
                        set -e; mkdir -p /tmp/tree/deep && cd /tmp && head -c 300000 /dev/zero > tree/deep/zeros
                        truncate -s 1M tree/holes && mkfifo tree/fifo && ln -s deep tree/link
                        tar czf tree.tgz tree && mkdir -p out && tar xzf tree.tgz -C out && diff <(cd tree && find | sort) <(cd out/tree && find | sort)
                        tar cSf - tree | gzip | gunzip | tar tf - | wc -l
                        cp -a --reflink=auto tree copied && cp --sparse=always tree/holes holes && cmp tree/holes holes
                        cat tree/deep/zeros | cat - tree/deep/zeros | wc -c
                        mv copied moved && dd if=tree/holes of=/tmp/dd bs=64k status=none conv=fsync && stat -c %s /tmp/dd
                        yes | head -n 1; echo x | tee /tmp/teed; script -qc 'echo typed' /dev/null </dev/null | tr -d '\\r'
                        """);
        assertThat(answer.output().lines())
                .containsExactly("6", "600000", "1048576", "y", "x", "typed");
    }

    /// A program that other interpreters import, as children of `multiprocessing` do.
    private ShellInSandbox.Answer file(String script) {
        return feed(
                "bash",
                "cat > /tmp/main.py <<'END_OF_FILE'\n%s\nEND_OF_FILE\n/usr/bin/python3 /tmp/main.py"
                        .formatted(script));
    }

    private ShellInSandbox.Answer feed(String interpreter, String script) {
        return shell.run(
                "timeout 100 %s <<'END_OF_SCRIPT'\n%s\nEND_OF_SCRIPT\n"
                        .formatted(interpreter, script));
    }
}
