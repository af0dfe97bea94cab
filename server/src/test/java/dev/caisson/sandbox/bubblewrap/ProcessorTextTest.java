package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processors as a program is told of them: what one can do, as many as the run has.
class ProcessorTextTest {
    @Test
    void each_is_the_first_of_the_machine_under_its_own_number(@TempDir Path directory)
            throws Exception {
        var file = directory.resolve("cpuinfo");
        Files.writeString(
                file,
                """
                processor\t: 0
                siblings\t: 64
                core id\t\t: 0
                cpu cores\t: 32
                flags\t\t: fpu avx2

                processor\t: 1
                flags\t\t: fpu avx2

                Serial\t\t: 0815
                """);
        assertThat(ProcessorText.of(file).times(2))
                .isEqualTo(
                        """
                        processor\t: 0
                        siblings\t: 2
                        core id\t\t: 0
                        cpu cores\t: 2
                        flags\t\t: fpu avx2

                        processor\t: 1
                        siblings\t: 2
                        core id\t\t: 1
                        cpu cores\t: 2
                        flags\t\t: fpu avx2

                        """);
    }

    @Test
    void without_a_word_of_the_machine_they_are_counted(@TempDir Path directory) throws Exception {
        assertThat(ProcessorText.of(directory.resolve("none")).times(1))
                .isEqualTo("processor\t: 0\n\n");
        assertThat(
                        ProcessorText.of(Files.writeString(directory.resolve("a"), "Serial: 1\n"))
                                .times(1))
                .isEqualTo("processor\t: 0\n\n");
    }
}
