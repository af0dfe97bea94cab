package dev.caisson.linux.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Programs of random rules, walked as the kernel would, beside the rules themselves.
class SyscallCompilerTest {
    private static final int ARCHITECTURE = 0xC000003E;
    private static final int FALLBACK = 1;
    private static final int NUMBERS = 40;
    private static final int SEEDS = 60;

    @Test
    void a_program_does_what_its_rules_say() {
        int longest = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var rules = rules(random);
            var program = new BpfProgram(SyscallCompiler.compile(ARCHITECTURE, rules, FALLBACK));
            longest = Math.max(longest, program.length());
            for (int tries = 0; tries < 2_000; tries++) {
                int number = random.nextInt(-1, NUMBERS + 2);
                long[] arguments = {value(random), value(random), value(random)};
                assertThat(program.action(ARCHITECTURE, number, arguments))
                        .isEqualTo(expected(rules.getOrDefault(number, List.of()), arguments));
                assertThat(program.action(ARCHITECTURE + 1, number, arguments))
                        .isEqualTo(errno(FALLBACK));
            }
        }
        assertThat(longest).as("jumps of every length").isGreaterThan(1_000);
    }

    private static SortedMap<Integer, List<SyscallRule>> rules(Random random) {
        var rules = new TreeMap<Integer, List<SyscallRule>>();
        for (int number = 0; number < NUMBERS; number++) {
            if (random.nextInt(4) > 0) {
                var list = new ArrayList<SyscallRule>();
                for (int count = random.nextInt(1, 6); count > 0; count--) {
                    list.add(rule(number, random));
                }
                rules.put(number, list);
            }
        }
        return rules;
    }

    private static SyscallRule rule(int number, Random random) {
        var tests = new ArrayList<ArgumentCondition>();
        for (int count = random.nextInt(4); count > 0; count--) {
            int mask = random.nextBoolean() ? -1 : 3;
            int[] values = random.ints(random.nextInt(1, 12), 0, 8).map(v -> v & mask).toArray();
            tests.add(ArgumentCondition.masked(random.nextInt(3), mask, values));
        }
        var errno = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(5));
        return new SyscallRule(new SyscallRule.Call.Numbered(number), errno, tests);
    }

    /// With something in the high half, which nobody looks at.
    private static long value(Random random) {
        return random.nextLong() << 32 | random.nextInt(8);
    }

    private static int expected(List<SyscallRule> rules, long[] arguments) {
        return rules.stream()
                .filter(rule -> rule.tests().stream().allMatch(test -> holds(test, arguments)))
                .findFirst()
                .map(rule -> rule.errno().isEmpty() ? 0x7fff0000 : errno(rule.errno().getAsInt()))
                .orElse(errno(FALLBACK));
    }

    private static boolean holds(ArgumentCondition test, long[] arguments) {
        return test.values().contains((int) arguments[test.argument()] & test.mask());
    }

    private static int errno(int number) {
        return 0x00050000 | number;
    }
}
