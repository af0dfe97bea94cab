package dev.caisson.sandbox.nest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Control groups and networks that serve again: only for runs of the same key, only when they are
/// shown to be empty, and what can be seen of the run before in them.
@Tag("root")
@Tag("slow")
class KeptPlacesTest extends NestsTestCase {
    /// The kernel's number of the network, `SO_NETNS_COOKIE`, which it never uses again.
    private static final String NETWORK =
            """
            import socket
            print(int.from_bytes(socket.socket().getsockopt(socket.SOL_SOCKET, 71, 8), 'little'))
            """;

    /// One sandbox at once, so that every run of a key has the place of the one before.
    @BeforeEach
    void takeOnePlace() {
        nests.killAll();
        nests = nests(Nests.Life.USUAL, 1, true);
    }

    private final Set<String> owners = new TreeSet<>();

    private String next(String owner, String code) throws Exception {
        var text = run(owner, code);
        awaitPlace(owner);
        return text;
    }

    /// The place of a run is free a moment after its answer.
    private void awaitPlace(String owner) {
        owners.add(owner);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> nests.resting().slots().size() == owners.size());
    }

    @Test
    void runs_of_one_key_have_one_network_and_those_of_two_keys_do_not() throws Exception {
        var first = next("one", NETWORK);
        assertThat(next("one", NETWORK)).isEqualTo(first);
        assertThat(next("two", NETWORK)).isNotEqualTo(first);
    }

    @Test
    void a_group_serves_again_and_no_other_is_left() throws Exception {
        next("one", "pass");
        var groups = groups();
        assertThat(groups).hasSize(1);
        for (int each = 0; each < 5; each++) {
            next("one", "pass");
            assertThat(groups()).isEqualTo(groups);
        }
        nests.forget("one");
        Awaitility.await().atMost(PATIENCE).until(() -> groups().isEmpty());
    }

    @Test
    void fresh_slots_have_a_network_and_a_group_of_their_own_for_each_run() throws Exception {
        nests.killAll();
        nests = nests(Nests.Life.USUAL, 1, false);
        var first = next("one", NETWORK);
        assertThat(next("one", NETWORK)).isNotEqualTo(first);
        Awaitility.await().atMost(PATIENCE).until(() -> groups().isEmpty());
    }

    @Test
    void counters_of_a_run_start_at_zero() throws Exception {
        next("one", "x = bytearray(100 << 20)\nfor _ in range(5_000_000): pass\n");
        var box = make("one", python());
        try {
            begin(box, "pass");
            assertThat(box.awaitEnd(PATIENCE)).isTrue();
            assertThat(box.memoryPeakBytes().orElseThrow()).isBetween(1L, 50L << 20);
            assertThat(box.cpuTime()).isBetween(Duration.ofNanos(1), Duration.ofMillis(200));
            assertThat(box.memoryKills()).isZero();
            assertThat(box.parts().group().forksRefused()).isZero();
        } finally {
            box.end("one");
        }
    }

    /// 128 processes are the limit.
    private static final String MANY =
            """
            import os, time
            try:
                while os.fork():
                    pass
                time.sleep(600)
            except OSError:
                print('refused')
            """;

    @Test
    void refused_forks_and_memory_kills_of_a_run_are_not_those_of_the_next() throws Exception {
        assertThat(next("one", MANY)).contains("refused");
        var killed = make("one", python());
        assertThat(killed.parts().group().forksRefused()).isZero();
        begin(killed, "x = [bytearray(1 << 20) for _ in range(4096)]");
        assertThat(killed.awaitEnd(PATIENCE)).isTrue();
        assertThat(killed.memoryKills()).isPositive();
        killed.end("one");
        awaitPlace("one");
        var after = make("one", python());
        assertThat(after.memoryKills()).isZero();
        after.end("one");
    }

    /// Pages of files stay charged to who read them first.
    @Test
    void a_group_in_which_memory_is_left_is_removed() throws Exception {
        next("one", "pass");
        var groups = groups();
        next("one", "open('written', 'wb').write(bytes(8 << 20))");
        next("one", "pass");
        assertThat(groups()).hasSize(1).isNotEqualTo(groups);
    }

    private static final String LISTENS =
            """
            import socket, subprocess, sys
            tcp = socket.socket(); tcp.bind(('127.0.0.1', 8000)); tcp.listen()
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); udp.bind(('127.0.0.1', 8001))
            out = socket.create_connection(('127.0.0.1', 8000)); there, _ = tcp.accept()
            there.sendall(b'secret'); there.close(); out.recv(6); out.close()
            open_one = socket.create_connection(('127.0.0.1', 8000)); there, _ = tcp.accept()
            there.setblocking(False)
            try:
                while True: there.send(b'unread' * 1000)
            except BlockingIOError: pass
            """;

    private static final String LOOKS =
            """
            import socket
            for port in (8000, 8001):
                kind = socket.SOCK_STREAM if port == 8000 else socket.SOCK_DGRAM
                with socket.socket(socket.AF_INET, kind) as own:
                    own.bind(('127.0.0.1', port))
            for port in (8000,):
                try:
                    socket.create_connection(('127.0.0.1', port), 1)
                    print('reached')
                except ConnectionRefusedError:
                    print('nobody')
            for name in ('tcp', 'tcp6', 'udp', 'unix'):
                try:
                    print(name, len(open('/proc/net/' + name).readlines()) - 1)
                except OSError as hidden:
                    print(name, 0)
            """;

    @Test
    void a_run_finds_no_socket_port_or_connection_of_the_run_before() throws Exception {
        var network = next("one", NETWORK + LISTENS).lines().findFirst();
        var seen = next("one", NETWORK + LOOKS).lines().toList();
        assertThat(seen.getFirst()).isEqualTo(network.orElseThrow());
        assertThat(seen.subList(1, seen.size()))
                .containsExactly("nobody", "tcp 0", "tcp6 0", "udp 0", "unix 0");
    }

    @Test
    void an_abstract_socket_of_a_run_is_gone_with_it() throws Exception {
        var bind =
                """
                import socket
                try:
                    s = socket.socket(socket.AF_UNIX); s.bind(chr(0) + 'left'); s.listen()
                    print('bound')
                except OSError as refused:
                    print('refused', refused.errno)
                """;
        var first = next("one", bind);
        assertThat(next("one", bind)).isEqualTo(first);
    }

    /// What is left of a run in its network: the kernel goes on counting packets there.
    @Test
    void counters_of_packets_go_on() throws Exception {
        var count =
                """
                import socket
                a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); a.bind(('127.0.0.1', 0))
                for _ in range(100): a.sendto(b'x', a.getsockname())
                lines = [line.split() for line in open('/proc/net/dev')]
                print([line[2] for line in lines if line[0] == 'lo:'][0])
                """;
        assertThat(next("one", count)).isEqualTo("100\n");
        assertThat(next("one", count)).isEqualTo("200\n");
        assertThat(next("two", count)).isEqualTo("100\n");
    }

    @Test
    void a_network_in_which_a_socket_is_left_serves_nobody() throws Exception {
        var box = make("one", python());
        var left = box.listen(9_000);
        var network = begin(box, NETWORK);
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        box.end("one");
        awaitPlace("one");
        left.close();
        assertThat(next("one", NETWORK)).isNotEqualTo(network.text(network.stdout));
    }

    /// Whoever is in the group, however he came there, dies with it.
    @Test
    void a_group_in_which_a_process_is_left_is_removed() throws Exception {
        var box = make("one", python());
        var groups = groups();
        var left = new ProcessBuilder("sleep", "600").start();
        for (var file : box.parts().group().procsFiles()) {
            Files.writeString(file, "" + left.pid(), StandardOpenOption.WRITE);
        }
        begin(box, "pass");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        assertThat(left.isAlive()).isTrue();
        box.end("one");
        awaitPlace("one");
        assertThat(left.waitFor(60, TimeUnit.SECONDS)).isTrue();
        next("one", "pass");
        assertThat(groups()).hasSize(1).isNotEqualTo(groups);
    }

    /// What a run finds of settings and addresses of its network.
    private static final String SETTINGS =
            """
            import fcntl, hashlib, os, socket, struct
            found = []
            for place, _, names in sorted(os.walk('/proc/sys/net')):
                for name in sorted(names):
                    try:
                        found.append(name + open(os.path.join(place, name)).read())
                    except OSError as refused:
                        found.append(name + str(refused.errno))
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for number in (0x8913, 0x8915, 0x8921):
                found.append(fcntl.ioctl(s, number, struct.pack('16s24x', b'lo')).hex())
            found.append(open('/proc/net/route').read())
            print(len(found), hashlib.sha256(repr(found).encode()).hexdigest())
            """;

    private static final String CHANGES =
            """
            import fcntl, os, socket, struct
            for place, _, names in os.walk('/proc/sys/net'):
                for name in names:
                    try:
                        open(os.path.join(place, name), 'w').write('7')
                    except OSError: pass
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            there = struct.pack('16sHH4s16x', b'lo', 2, 0, socket.inet_aton('10.1.2.3'))
            for number, request in ((0x8914, struct.pack('16sH22x', b'lo', 0)), (0x8916, there),
                    (0x8922, struct.pack('16si20x', b'lo', 900))):
                try: fcntl.ioctl(s, number, request)
                except OSError: pass
            """;

    @Test
    void no_setting_and_no_address_of_a_network_is_what_a_run_made_it() throws Exception {
        var first = next("one", NETWORK + SETTINGS);
        assertThat(Integer.parseInt(first.lines().toList().getLast().split(" ", -1)[0]))
                .isGreaterThan(100);
        next("one", CHANGES);
        assertThat(next("one", NETWORK + SETTINGS)).isEqualTo(first);
    }

    /// A kernel that cannot forget the most memory there was: the file that would be written to
    /// takes nothing.
    @Test
    void a_group_whose_counter_cannot_be_reset_is_removed() throws Exception {
        var box = make("one", python());
        var groups = groups();
        begin(box, "pass");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        var peak =
                box.parts().group().procsFiles().stream()
                        .flatMap(file ->
                                Stream.of("memory.max_usage_in_bytes", "memory.peak")
                                        .map(file::resolveSibling))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow();
        assertThat(groups).hasSize(1);
        mount("--bind", "/dev/full", peak.toString());
        try {
            box.end("one");
            awaitPlace("one");
            Awaitility.await().atMost(PATIENCE).until(() -> groups().isEmpty());
            next("one", "pass");
            assertThat(groups()).hasSize(1).isNotEqualTo(groups);
        } finally {
            if (Files.exists(peak)) {
                new ProcessBuilder("umount", peak.toString()).start().waitFor();
            }
        }
    }

    private static void mount(String... words) throws Exception {
        var command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    /// A process that somebody put into one tree only.
    @Test
    void a_group_in_which_the_kernel_counts_somebody_is_removed() throws Exception {
        var box = make("one", python());
        var groups = groups();
        var left = new ProcessBuilder("sleep", "600").start();
        var joins = box.parts().group().procsFiles();
        var counting =
                joins.stream()
                        .filter(file -> Files.exists(file.resolveSibling("pids.current")))
                        .findFirst()
                        .orElseThrow();
        Files.writeString(counting, "" + left.pid(), StandardOpenOption.WRITE);
        begin(box, "pass");
        assertThat(box.awaitEnd(PATIENCE)).isTrue();
        box.end("one");
        awaitPlace("one");
        assertThat(left.waitFor(60, TimeUnit.SECONDS)).isTrue();
        next("one", "pass");
        assertThat(groups()).hasSize(1).isNotEqualTo(groups);
    }

    /// A nest keeps no more of each than it is likely to need at once.
    @Test
    void what_rests_has_a_limit() throws Exception {
        int many = Spares.SPARES_MAX + 2;
        nests.killAll();
        nests = nests(Nests.Life.USUAL, many, true);
        var boxes = new ArrayList<NestBox>();
        for (int each = 0; each < many; each++) {
            boxes.add(make("one", python()));
        }
        boxes.forEach(each -> each.end("one"));
        Awaitility.await().atMost(PATIENCE).until(() -> nests.resting().slots().size() == many);
        assertThat(nests.resting().groups()).hasSize(Spares.SPARES_MAX);
        assertThat(groups()).hasSize(Spares.SPARES_MAX);
        assertThat(remains().networks()).hasSizeLessThanOrEqualTo(2 * Spares.SPARES_MAX);
    }

    private Set<String> groups() throws IOException {
        return remains().groups().stream()
                .filter(name -> name.contains(".run-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
