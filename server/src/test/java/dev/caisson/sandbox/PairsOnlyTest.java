package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.UnixSockets;
import dev.caisson.sandbox.bubblewrap.ObservedIsolation;
import dev.caisson.sandbox.bubblewrap.SocketGate;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Where there is no gate, the filter refuses UNIX sockets that have a name: still no descriptor
/// leaves a sandbox, and what needs only pairs works.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PairsOnlyTest {
    private final Rig rig;

    PairsOnlyTest(@TempDir Path directory) throws IOException {
        rig = Rig.openWithoutGate(directory);
    }

    @AfterAll
    void close() throws IOException {
        rig.close();
    }

    @Test
    void every_layer_is_in_force_all_the_same() {
        var isolation = rig.sandboxes().isolation();
        assertThat(isolation.missing()).isEmpty();
        assertThat(isolation.sockets()).isEqualTo(UnixSockets.PAIRS_ONLY);
    }

    @Test
    void the_doctor_says_which_of_the_two_is_in_force() throws Exception {
        var report =
                new Doctor(rig.sandboxes(), new Workspace.Directory(rig.workspace())).examine();
        assertThat(report.findings().stream().filter(finding -> !finding.holds()))
                .allMatch(finding -> finding.check().contains("typescript"));
        assertThat(report.findings())
                .anyMatch(finding ->
                        finding.check().startsWith("sockets_stay_inside")
                                && finding.detail().contains("no UNIX sockets but pairs"));
    }

    /// What the probe runs at every start, where there is no gate to run it.
    @Test
    void the_trial_of_sockets_finds_no_place_for_them() throws Exception {
        var result = rig.run(Language.BASH, SocketGate.trial(ObservedIsolation.TRIED));
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("---\n");
    }

    @Test
    void no_socket_with_a_name_is_made_anywhere() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import socket
                        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                            try:
                                socket.socket(socket.AF_UNIX, kind); print('it worked')
                            except OSError as refused:
                                print(refused)
                        left, right = socket.socketpair()
                        left.send(b'x'); print(right.recv(1))
                        """);
        assertThat(result.stdout())
                .isEqualTo(
                        "[Errno 97] Address family not supported by protocol\n".repeat(3)
                                + "b'x'\n");
    }

    /// One that is connected can be given a name, and still nobody can connect to it. A datagram
    /// socket could be parted from the other of its pair, so there are no such pairs.
    @Test
    void one_of_a_pair_cannot_be_reached_by_a_name() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import ctypes, os, socket
                        libc = ctypes.CDLL(None, use_errno=True)
                        def attempt(what):
                            try:
                                what(); return 'it worked'
                            except OSError as refused:
                                return 'refused'
                        for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
                            left, right = socket.socketpair(socket.AF_UNIX, kind)
                            name = '/workspace/%d' % kind
                            left.bind(name); right.close()
                            parted = libc.connect(left.fileno(), bytes(16), 16)
                            other, _ = socket.socketpair(socket.AF_UNIX, kind)
                            print(attempt(left.listen), parted, attempt(lambda: other.connect(name)))
                        for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
                            print(attempt(lambda: socket.socketpair(socket.AF_UNIX, kind)))
                        """);
        assertThat(result.stdout())
                .as(result.stderr())
                .isEqualTo("refused -1 refused\nrefused -1 refused\nrefused\nrefused\n");
    }

    @ParameterizedTest
    @EnumSource
    void what_needs_only_pairs_works_and_the_rest_says_why_not(SocketPrograms program)
            throws Exception {
        var result = rig.run(program.language(), program.code());
        if (program.needsNames()) {
            assertThat(result.stdout()).isEmpty();
            assertThat(result.stderr())
                    .containsAnyOf("Address family not supported", "EAFNOSUPPORT");
        } else {
            assertThat(result.stdout()).as(result.stderr()).isEqualTo("works\n");
        }
    }
}
