package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Remedy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemedyTest {
    private static final List<String> BELOW =
            List.of("output", "storage", "session", "sandbox", "executions", "linux");

    @Test
    void rooms_below_the_tools_name_no_tool_in_their_texts() throws IOException {
        var found = new ArrayList<String>();
        var seen = 0;
        for (var room : BELOW) {
            for (var file : Repository.files("server/src/main/java/dev/caisson/" + room, ".java")) {
                var text = Files.readString(file);
                seen++;
                for (var remedy : Remedy.values()) {
                    if (text.contains(remedy.word())) {
                        found.add(file.getFileName() + ": " + remedy.word());
                    }
                }
            }
        }

        assertThat(found).isEmpty();
        assertThat(seen).as("files seen, too few to mean anything").isGreaterThan(100);
    }
}
