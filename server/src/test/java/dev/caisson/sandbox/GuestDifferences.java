package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The differences to a plain interpreter that `docs/guests.md` lists.
final class GuestDifferences {
    private static final Path DOCUMENT = Path.of("../docs/guests.md");
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` \\|.*");

    private GuestDifferences() {}

    /// The first column of the table below a heading.
    static Set<String> documented(String title) throws IOException {
        var rows = new TreeSet<String>();
        var lines = Files.readAllLines(DOCUMENT);
        int start = lines.indexOf("## " + title);
        assertThat(start).as("the heading %s", title).isNotNegative();
        for (var line : lines.subList(start + 1, lines.size())) {
            if (line.startsWith("## ")) {
                break;
            }
            var row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(row.group(1));
            }
        }
        return rows;
    }
}
