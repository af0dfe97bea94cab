package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.seccomp.BpfProgram;
import dev.caisson.linux.seccomp.LibSeccomp;
import dev.caisson.linux.seccomp.SyscallPolicy;
import dev.caisson.linux.seccomp.SyscallRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The compiled filter, walked without the kernel.
class SyscallFilterTest {
    private static final int X86_64 = 0xC000003E;
    private static final int I386 = 0x40000003;
    private static final int AARCH64 = 0xC00000B7;
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int EINVAL = 0x00050016;
    private static final int ENOTTY = 0x00050019;
    private static final int ENOSYS = 0x00050026;
    private static final int ENOPROTOOPT = 0x0005005C;
    private static final long HIGH_BIT = 1L << 40;

    /// `SOCK_CLOEXEC` and `SOCK_NONBLOCK`, which stand beside the type.
    private static final int SOCKET_FLAGS = 02000000 | 04000;

    private static final BpfProgram PROGRAM =
            new BpfProgram(SyscallFilter.compile(UnixSockets.PRIVATE_PLACES));
    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final int HERE =
            System.getProperty("os.arch").equals("aarch64") ? AARCH64 : X86_64;

    @Test
    void the_library_and_the_kernel_are_there() {
        assertThat(SyscallFilter.missing()).isEmpty();
    }

    @Test
    void the_program_is_one_the_kernel_takes() {
        assertThat(PROGRAM.length()).isBetween(200, 500);
    }

    @Test
    void every_call_left_out_on_purpose_is_refused() {
        var wrong = new ArrayList<String>();
        var names = SyscallPolicy.REFUSED.values().stream().flatMap(List::stream).toList();
        for (var name : names) {
            if (number(name) < 0 || action(name) != EPERM) {
                wrong.add(name);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(60);
    }

    @Test
    void every_name_in_the_policy_is_one_the_library_knows() {
        var names =
                SyscallPolicy.rules(UnixSockets.PRIVATE_PLACES).stream()
                        .map(SyscallRule::call)
                        .filter(SyscallRule.Call.Named.class::isInstance)
                        .map(call -> ((SyscallRule.Call.Named) call).name())
                        .distinct()
                        .toList();
        assertThat(names).noneMatch(name -> number(name) == -1).hasSizeGreaterThan(250);
    }

    @Test
    void what_no_rule_names_is_refused() {
        try (var library = LibSeccomp.open().orElseThrow()) {
            Map<Integer, List<SyscallRule>> rules = new HashMap<>();
            for (var rule : SyscallPolicy.rules(UnixSockets.PRIVATE_PLACES)) {
                int number =
                        switch (rule.call()) {
                            case SyscallRule.Call.Named(String name) -> library.number(name);
                            case SyscallRule.Call.Numbered(int given) -> given;
                        };
                rules.computeIfAbsent(number, _ -> new ArrayList<>()).add(rule);
            }
            var allowed = new TreeSet<Integer>();
            for (int number = 0; number <= 600; number++) {
                int action = PROGRAM.action(HERE, number);
                if (action == ALLOW) {
                    allowed.add(number);
                }
                if (!rules.containsKey(number)) {
                    assertThat(action).as("call %d", number).isEqualTo(EPERM);
                }
            }
            assertThat(allowed).hasSizeBetween(230, 290);
        }
    }

    @Test
    void calls_that_are_too_new_are_unknown() {
        assertThat(IntStream.rangeClosed(463, 511).map(number -> PROGRAM.action(HERE, number)))
                .hasSize(49)
                .containsOnly(ENOSYS);
        assertThat(action("clone3")).isEqualTo(ENOSYS);
        assertThat(PROGRAM.action(HERE, 452)).isEqualTo(ALLOW);
    }

    @Test
    void another_architectures_interface_is_refused() {
        for (int number = 0; number <= 600; number++) {
            assertThat(PROGRAM.action(I386, number)).isEqualTo(EPERM);
            assertThat(PROGRAM.action(X86_64, number | 0x40000000)).isEqualTo(EPERM);
        }
    }

    @Test
    void only_four_families_of_sockets_are_open_and_each_for_its_types() {
        var open = new ArrayList<String>();
        for (int family = 0; family < 64; family++) {
            for (int type = 0; type < 16; type++) {
                int action = action("socket", family, type);
                assertThat(action("socket", family | HIGH_BIT, type | HIGH_BIT)).isEqualTo(action);
                assertThat(action("socket", family, type | SOCKET_FLAGS)).isEqualTo(action);
                if (action == ALLOW) {
                    open.add(family + "/" + type);
                }
            }
        }
        assertThat(open)
                .containsExactly("1/1", "1/2", "1/5", "2/1", "2/2", "10/1", "10/2", "16/2", "16/3");
    }

    @Test
    void a_socket_has_a_protocol_of_its_type() {
        assertThat(IntStream.range(1, 64).map(protocol -> action("socket", 16, 3, protocol)))
                .hasSize(63)
                .containsOnly(EPERM);
        for (int family : List.of(2, 10)) {
            assertThat(protocols(family, 1)).containsExactly(0, 6);
            assertThat(protocols(family, 2)).containsExactly(0, 1, 17, 58);
            assertThat(protocols(family, 3)).isEmpty();
        }
    }

    private static IntStream protocols(int family, int type) {
        return IntStream.range(0, 300)
                .filter(protocol -> action("socket", family, type, protocol) == ALLOW);
    }

    @Test
    void pairs_of_sockets_are_local() {
        var open = new ArrayList<String>();
        for (int family = 0; family < 64; family++) {
            for (int type = 0; type < 16; type++) {
                if (action("socketpair", family, type | SOCKET_FLAGS) == ALLOW) {
                    open.add(family + "/" + type);
                }
            }
        }
        assertThat(open).containsExactly("1/1", "1/2", "1/5");
    }

    @Test
    void a_process_is_cloned_only_into_the_same_namespaces() {
        long thread = 0x3d0f00;
        assertThat(action("clone", thread)).isEqualTo(ALLOW);
        assertThat(action("clone", 17)).isEqualTo(ALLOW);
        var refused = new ArrayList<Integer>();
        for (int bit = 0; bit < 32; bit++) {
            if (action("clone", 1L << bit | 17) == EPERM) {
                refused.add(bit);
            }
        }
        assertThat(refused).containsExactly(17, 25, 26, 27, 28, 29, 30);
    }

    @Test
    void socket_options_are_those_that_programs_use() {
        Map<Integer, Integer> allowed = new TreeMap<>();
        for (int level = 0; level < 300; level++) {
            for (int option = 0; option < 200; option++) {
                int action = action("setsockopt", 3, level, option);
                assertThat(action("setsockopt", 3, level | HIGH_BIT, option | HIGH_BIT))
                        .isEqualTo(action);
                assertThat(action).isIn(ALLOW, ENOPROTOOPT);
                if (action == ALLOW) {
                    allowed.merge(level, 1, Integer::sum);
                }
            }
        }
        assertThat(allowed).isEqualTo(Map.of(0, 16, 1, 19, 6, 16, 17, 1, 41, 18));
    }

    @Test
    void no_socket_option_loads_a_program_or_lends_pages() {
        for (int option : List.of(26, 50, 51, 52, 60, 73)) {
            assertThat(action("setsockopt", 3, 1, option)).isEqualTo(ENOPROTOOPT);
        }
        for (int option : List.of(13, 14, 19, 31, 35)) {
            assertThat(action("setsockopt", 3, 6, option)).isEqualTo(ENOPROTOOPT);
        }
    }

    @Test
    void unix_sockets_are_let_through_where_landlock_says_where() {
        assertThat(action("socket", 1, 1, 0)).isEqualTo(ALLOW);
        assertThat(action("socketpair", 1, 2, 0)).isEqualTo(ALLOW);
        for (int landlock = 444; landlock <= 446; landlock++) {
            assertThat(PROGRAM.action(HERE, landlock, 0, 0, 1)).isEqualTo(ALLOW);
        }
    }

    /// With any flags, and with bits set that the kernel does not look at.
    @Test
    void without_landlock_there_are_connected_pairs_only() {
        var program = new BpfProgram(SyscallFilter.compile(UnixSockets.PAIRS_ONLY));
        int closeOnExec = 0x80000;
        for (long type : new long[] {1, 2, 3, 5, 1 | closeOnExec}) {
            assertThat(program.action(HERE, number("socket"), 1 | HIGH_BIT, type, 0))
                    .isEqualTo(0x00050061);
        }
        for (long type : new long[] {1, 5, 1 | closeOnExec, 5 | 0x800}) {
            assertThat(program.action(HERE, number("socketpair"), 1, type, 0)).isEqualTo(ALLOW);
        }
        for (long type : new long[] {2, 3, 2 | closeOnExec, 4, 10}) {
            assertThat(program.action(HERE, number("socketpair"), 1, type, 0)).isEqualTo(EPERM);
        }
        assertThat(program.action(HERE, number("socket"), 2, 1, 0)).isEqualTo(ALLOW);
        assertThat(program.action(HERE, 444, 0, 0, 1)).isEqualTo(EPERM);
    }

    @Test
    void device_nodes_are_refused() {
        int types = 0;
        for (int type = 0; type < 16; type++) {
            boolean device = type == 2 || type == 6;
            boolean usual = type == 0 || type == 1 || type == 8 || type == 12;
            long mode = (long) type << 12 | 0644;
            assertThat(action("mknodat", 0, 0, mode)).isEqualTo(usual ? ALLOW : EPERM);
            types += device ? 1 : 0;
        }
        assertThat(types).isEqualTo(2);
    }

    @Test
    void devices_are_asked_for_what_programs_use() {
        for (int request : List.of(0x5401, 0x5413, 0x541B, 0x5421, 0x80045430, 0x8933)) {
            assertThat(action("ioctl", 0, request)).isEqualTo(ALLOW);
            assertThat(action("ioctl", 0, request | HIGH_BIT)).isEqualTo(ALLOW);
        }
        var typing = List.of(0x5412, 0x541C, 0x5423);
        var fileSystems = List.of(0x40086602, 0xC020660B, 0x40049409, 0xC0045878);
        for (int request : Stream.of(typing, fileSystems).flatMap(List::stream).toList()) {
            assertThat(action("ioctl", 0, request)).isEqualTo(ENOTTY);
            assertThat(action("ioctl", 0, request | HIGH_BIT)).isEqualTo(ENOTTY);
        }
        assertThat(IntStream.range(0, 0x10000).filter(c -> action("ioctl", 0, c) == ALLOW))
                .hasSize(31);
    }

    @Test
    void files_have_no_leases_and_send_no_notices() {
        var allowed = IntStream.range(0, 2000).filter(c -> action("fcntl", 3, c) == ALLOW);
        assertThat(allowed)
                .containsExactly(
                        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 36, 37, 38, 1030, 1031, 1032, 1033, 1034);
        for (int command : List.of(10, 15, 1024, 1025, 1026)) {
            assertThat(action("fcntl", 3, command)).isEqualTo(EINVAL);
            assertThat(action("fcntl", 3, command | HIGH_BIT)).isEqualTo(EINVAL);
        }
    }

    @Test
    void pages_do_not_move_between_descriptors() {
        assertThat(action("splice")).isEqualTo(EINVAL);
        assertThat(action("tee")).isEqualTo(EINVAL);
        assertThat(action("vmsplice")).isEqualTo(EPERM);
    }

    @Test
    void a_process_cannot_load_filters_or_change_its_personality() {
        assertThat(action("prctl", 22)).as("PR_SET_SECCOMP").isEqualTo(EPERM);
        assertThat(action("prctl", 22 | HIGH_BIT)).isEqualTo(EPERM);
        assertThat(action("prctl", 15)).as("PR_SET_NAME").isEqualTo(ALLOW);
        assertThat(action("prctl", 52)).as("PR_GET_SPECULATION_CTRL").isEqualTo(EPERM);
        assertThat(action("prctl", 53)).as("PR_SET_SPECULATION_CTRL").isEqualTo(EPERM);
        assertThat(action("personality", 0xffffffffL)).isEqualTo(ALLOW);
        assertThat(action("personality", 0)).isEqualTo(ALLOW);
        assertThat(action("personality", 0x0040000)).isEqualTo(ALLOW);
        assertThat(action("personality", 0x0400000)).isEqualTo(EPERM);
    }

    private static int action(String name, long... arguments) {
        return PROGRAM.action(
                HERE, NUMBERS.computeIfAbsent(name, SyscallFilterTest::number), arguments);
    }

    private static int number(String name) {
        try (var library = LibSeccomp.open().orElseThrow()) {
            return library.number(name);
        }
    }
}
