package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
    @Test
    void it_has_the_size_the_kernel_says() throws Exception {
        var asked = new ProcessBuilder("cat", "/proc/sys/kernel/pid_max").start();
        var said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ProcessTable.size())
                .isGreaterThan(256)
                .isLessThanOrEqualTo(Integer.parseInt(said.strip()));
    }
}
