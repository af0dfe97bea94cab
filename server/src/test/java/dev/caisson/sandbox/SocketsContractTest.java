package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.UnixSockets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No descriptor leaves a sandbox: programs make UNIX sockets in places of their own and nowhere
/// else, and what is built on sockets works.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class SocketsContractTest {
    static final String PRELUDE =
            """
            import ctypes, errno, os, socket, stat, struct, sys
            def bind(path):
                with socket.socket(socket.AF_UNIX) as made:
                    made.bind(path)
            def bind_one_of_a_pair(path):
                left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                with left, right:
                    left.bind(path)
            def node(path):
                os.mknod(path, stat.S_IFSOCK | 0o600)
            def refused(attack, *arguments):
                try:
                    attack(*arguments)
                except OSError as e:
                    return e.errno in (errno.EACCES, errno.EXDEV) or print(e, file=sys.stderr)
                return print('it worked:', attack, arguments, file=sys.stderr)
            def check(*held):
                print('held' if all(held) else held)
            """;

    private final Rig rig;

    SocketsContractTest(Rig rig) {
        this.rig = rig;
    }

    private Rig.Result python(String code) throws InterruptedException {
        return rig.run(Language.PYTHON, PRELUDE + code);
    }

    @Test
    void landlock_is_what_holds_here() {
        assertThat(rig.sandboxes().isolation().sockets()).isEqualTo(UnixSockets.PRIVATE_PLACES);
    }

    @Test
    void a_socket_cannot_be_made_where_another_sandbox_could_find_it() throws Exception {
        var volumes =
                List.of(
                        new Workspace.Volume(
                                "shared", new Workspace.Directory(rig.workspace()), true));
        var workspace =
                new Workspace.WithVolumes(new Workspace.Directory(rig.workspace()), volumes);
        var result =
                rig.run(
                        Language.PYTHON,
                        PRELUDE
                                + """
                                os.mkdir('deep'); os.symlink('/workspace/deep', '/tmp/link')
                                places = ['/workspace/s', 's', 'deep/s', '/volumes/shared/s', '/data/s', '/home/baponi/s',
                                          '/proc/self/cwd/s', '/proc/self/root/workspace/s', '/tmp/link/s', '/tmp/../workspace/s']
                                check(*[refused(make, place) for make in (bind, bind_one_of_a_pair, node) for place in places])
                                """,
                        workspace);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("held\n");
    }

    @Test
    void of_all_that_can_be_written_only_two_places_take_a_socket() throws Exception {
        var result =
                python(
                        """
                        def writable(directory):
                            try:
                                os.close(os.open(directory + '/probe', os.O_CREAT | os.O_WRONLY)); os.unlink(directory + '/probe')
                                return True
                            except OSError:
                                return False
                        def takes(directory):
                            try:
                                bind(directory + '/probe')
                                return True
                            except OSError:
                                return False
                        mounts = {line.split()[4] for line in open('/proc/self/mountinfo')}
                        tops = {'/' + name for name in os.listdir('/')} | {'/dev/' + name for name in os.listdir('/dev')}
                        places = sorted(p for p in mounts | tops if os.path.isdir(p) and not os.path.islink(p) and writable(p))
                        print(places, [p for p in places if takes(p)])
                        """);
        assertThat(result.stdout())
                .as(result.stderr())
                .isEqualTo("['/dev/shm', '/tmp', '/workspace'] ['/dev/shm', '/tmp']\n");
    }

    @Test
    void a_socket_cannot_be_moved_out() throws Exception {
        var result =
                python(
                        """
                        bind('/tmp/s'); bind('/dev/shm/s')
                        check(*[refused(move, place, '/workspace/s') for move in (os.rename, os.link) for place in ('/tmp/s', '/dev/shm/s')])
                        """);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("held\n");
    }

    @Test
    void what_was_given_up_is_not_to_be_had_again() throws Exception {
        var result =
                python(
                        """
                        libc = ctypes.CDLL(None, use_errno=True)
                        MAKE_SOCK = 1 << 9
                        ruleset = libc.syscall(444, struct.pack('Q', MAKE_SOCK), 8, 0)
                        root = os.open('/', os.O_PATH)
                        added = libc.syscall(445, ruleset, 1, struct.pack('=Qi', MAKE_SOCK, root), 0)
                        restricted = libc.syscall(446, ruleset, 0)
                        check(ruleset > 2, added == 0, restricted == 0, refused(bind, '/workspace/s'))
                        if os.fork() == 0:
                            os.setsid()
                            os.execv(sys.executable, [sys.executable, '-c', "import socket; socket.socket(socket.AF_UNIX).bind('/workspace/s')"])
                        check(os.wait()[1] != 0)
                        """);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("held\nheld\n");
        assertThat(result.stderr()).contains("PermissionError: [Errno 13] Permission denied");
    }

    @Test
    void private_sockets_carry_descriptors_within_a_sandbox() throws Exception {
        var result =
                python(
                        """
                        import array
                        def carries(left, right):
                            with open('/workspace/file', 'w+') as file:
                                left.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [file.fileno()]))])
                            _, ancillary, _, _ = right.recvmsg(1, socket.CMSG_SPACE(4))
                            return os.readlink('/proc/self/fd/%d' % array.array('i', ancillary[0][2])[0]) == '/workspace/file'
                        def connected(address):
                            with socket.socket(socket.AF_UNIX) as listening:
                                listening.bind(address); listening.listen()
                                left = socket.socket(socket.AF_UNIX); left.connect(address)
                                return carries(left, listening.accept()[0])
                        check(connected('/tmp/s'), connected('/dev/shm/s'), connected('\\0s'), carries(*socket.socketpair()))
                        """);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("held\n");
    }

    @Test
    void files_are_still_moved_and_linked_from_one_directory_to_another() throws Exception {
        var result =
                rig.run(
                        Language.BASH,
                        """
                        set -e
                        mkdir -p a b/c && echo hello > a/x && mkdir a/d && touch a/d/e
                        python3 -c "import os; os.rename('a/x', 'b/c/x'); os.rename('a/d', 'b/d'); os.link('b/c/x', 'a/y'); os.rename('/workspace/a/y', '/workspace/z')"
                        mkdir /tmp/t && touch /tmp/f && mv /tmp/f /tmp/t/f && mv /tmp/t/f /workspace/f
                        mkfifo a/pipe && mv a/pipe b/pipe
                        cat b/c/x z; ls b f
                        """);
        assertThat(result.stdout())
                .as(result.stderr())
                .isEqualTo("hello\nhello\nf\n\nb:\nc\nd\npipe\n");
    }

    @Test
    void a_session_and_a_run_of_one_thread_do_not_reach_each_other() throws Exception {
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var listening =
                    session.run(
                            """
                            import socket
                            doors = []
                            for place in ('/workspace/door', '/tmp/door', '/dev/shm/door', '\\0door'):
                                door = socket.socket(socket.AF_UNIX)
                                try:
                                    door.bind(place); door.listen(); doors.append(door)
                                except OSError as refused:
                                    print(place, refused.errno)
                            print(len(doors))
                            """);
            assertThat(listening.stdout()).isEqualTo("/workspace/door 13\n3\n");
            var run =
                    rig.run(
                            Language.PYTHON,
                            """
                            import socket
                            for place in ('/workspace/door', '/tmp/door', '/dev/shm/door', '\\0door'):
                                try:
                                    socket.socket(socket.AF_UNIX).connect(place); print('reached', place)
                                except OSError as refused:
                                    print(refused.errno)
                            """,
                            session.workspace());
            assertThat(run.stdout()).isEqualTo("2\n2\n2\n111\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_built_on_sockets_works(SocketPrograms program) throws Exception {
        var result = rig.run(program.language(), program.code());
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("works\n");
    }
}
