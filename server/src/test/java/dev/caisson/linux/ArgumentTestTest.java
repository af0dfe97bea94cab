package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArgumentTestTest {
    @Test
    void exactly_one_test_holds_for_every_value_that_is_not_excluded() {
        int[] excluded = {0, 5, 26, 4095};
        var tests = ArgumentTest.isNot(1, excluded);
        var values = new ArrayList<>(List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE));
        IntStream.range(0, 5000).forEach(values::add);

        for (int value : values) {
            boolean allowed = IntStream.of(excluded).noneMatch(one -> one == value);
            long holding =
                    tests.stream().filter(test -> (value & test.mask()) == test.value()).count();
            assertThat(holding).as("%d", value).isEqualTo(allowed ? 1 : 0);
        }
        assertThat(values).hasSize(5003);
    }

    @Test
    void without_exclusions_everything_passes() {
        assertThat(ArgumentTest.isNot(2)).containsExactly(new ArgumentTest(2, 0, 0));
    }
}
