package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// In a nest the runs of a caller use the same slots, one after another.
@Tag("root")
@Tag("slow")
@InNests
@Warmed
@ExtendWith(Rig.Shared.class)
class KeptSlotsTest {
    private static final int RUNS = 40;

    private final Rig rig;

    KeptSlotsTest(Rig rig) {
        this.rig = rig;
    }

    private List<Integer> slots() throws IOException {
        try (var files = Files.walk(rig.directory(), 3)) {
            return files.filter(file -> file.toString().matches(".*/slots/[0-9]+"))
                    .map(Path::getFileName)
                    .map(name -> Integer.valueOf(name.toString()))
                    .toList();
        }
    }

    @Test
    void a_program_finds_its_own_text_alone_and_no_slot_is_made_for_it() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            var code =
                    """
                    import os
                    text = open('/run/job/main.py').read()
                    print(sorted(os.listdir('/run/job')), text.count('run ='), len(text))
                    run = "%s"
                    """
                            .formatted("x".repeat(RUNS - run));
            var expected = "['main.py'] 2 %d\n".formatted(code.length());
            assertThat(rig.run(Language.PYTHON, code).stdout()).isEqualTo(expected);
        }
        assertThat(slots()).isNotEmpty().allMatch(number -> number < RUNS);
    }
}
