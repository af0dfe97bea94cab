package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The compiled filter, walked without the kernel.
class SyscallFilterTest {
    private static final int X86_64 = 0xC000003E;
    private static final int I386 = 0x40000003;
    private static final int AARCH64 = 0xC00000B7;
    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final long HIGH_BIT = 1L << 40;

    private static final BpfProgram PROGRAM = new BpfProgram(SyscallFilter.compile());
    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final int HERE =
            System.getProperty("os.arch").equals("aarch64") ? AARCH64 : X86_64;

    @Test
    void the_library_and_the_kernel_are_there() {
        assertThat(SyscallFilter.missing()).isEmpty();
    }

    @Test
    void the_program_is_one_the_kernel_takes() {
        assertThat(PROGRAM.length()).isBetween(200, 4096);
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
                SyscallPolicy.rules().stream()
                        .map(SyscallRule::call)
                        .filter(SyscallRule.Call.Named.class::isInstance)
                        .map(call -> ((SyscallRule.Call.Named) call).name())
                        .distinct()
                        .toList();
        assertThat(names).noneMatch(name -> number(name) == -1).hasSizeGreaterThan(250);
    }

    @Test
    void what_no_rule_names_is_refused() {
        try (var library = LibSeccomp.open(EPERM).orElseThrow()) {
            Map<Integer, List<SyscallRule>> rules = new HashMap<>();
            for (var rule : SyscallPolicy.rules()) {
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
    void only_four_families_of_sockets_are_open() {
        var open = new ArrayList<Integer>();
        for (int family = 0; family < 64; family++) {
            int number = family;
            assertThat(action("socket", number | HIGH_BIT)).isEqualTo(action("socket", number));
            if (action("socket", family) == ALLOW) {
                open.add(family);
            }
        }
        assertThat(open).containsExactly(1, 2, 10, 16);
        assertThat(IntStream.range(1, 64).map(protocol -> action("socket", 16, 3, protocol)))
                .hasSize(63)
                .containsOnly(EPERM);
        assertThat(action("socket", 2, 1, 262)).as("multipath TCP").isEqualTo(EPERM);
        assertThat(action("socketpair", 1)).isEqualTo(ALLOW);
        assertThat(action("socketpair", 2)).isEqualTo(EPERM);
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
    void no_socket_option_loads_a_program() {
        var refused = new ArrayList<String>();
        for (int level = 0; level < 300; level++) {
            for (int option = 0; option < 200; option++) {
                int action = action("setsockopt", 3, level, option);
                assertThat(action("setsockopt", 3, level | HIGH_BIT, option | HIGH_BIT))
                        .isEqualTo(action);
                if (action != ALLOW) {
                    refused.add(level + "/" + option);
                }
            }
        }
        assertThat(refused).containsExactly("1/26", "1/50", "1/51", "1/52", "6/31");
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
    void nothing_is_typed_into_a_terminal() {
        assertThat(action("ioctl", 0, 0x5412)).isEqualTo(EPERM);
        assertThat(action("ioctl", 0, 0x5412 | HIGH_BIT)).isEqualTo(EPERM);
        assertThat(action("ioctl", 0, 0x541C)).isEqualTo(EPERM);
        var allowed = IntStream.range(0x5400, 0x5500).filter(c -> action("ioctl", 0, c) == ALLOW);
        assertThat(allowed).hasSize(254);
        assertThat(action("ioctl", 0, 0x80045430L)).isEqualTo(ALLOW);
    }

    @Test
    void a_process_cannot_load_filters_or_change_its_personality() {
        assertThat(action("prctl", 22)).as("PR_SET_SECCOMP").isEqualTo(EPERM);
        assertThat(action("prctl", 22 | HIGH_BIT)).isEqualTo(EPERM);
        assertThat(action("prctl", 15)).as("PR_SET_NAME").isEqualTo(ALLOW);
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
        try (var library = LibSeccomp.open(EPERM).orElseThrow()) {
            return library.number(name);
        }
    }
}
