package dev.caisson.cli;

import java.util.ArrayList;
import java.util.List;

/// Table of text with aligned columns. A column is as wide as its longest cell; a column without
/// any text below its heading is left out.
final class TextTable {
    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... headings) {
        this.headings = List.of(headings);
    }

    void add(String... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException("a row must have a cell for each heading");
        }
        rows.add(List.of(cells));
    }

    String text() {
        var lines = new ArrayList<StringBuilder>();
        lines.add(new StringBuilder());
        rows.forEach(_ -> lines.add(new StringBuilder()));
        for (int column = 0; column < headings.size(); column++) {
            int at = column;
            if (rows.stream().anyMatch(row -> !row.get(at).isEmpty())) {
                append(lines, column);
            }
        }
        return String.join(
                System.lineSeparator(),
                lines.stream().map(line -> line.toString().stripTrailing()).toList());
    }

    private void append(List<StringBuilder> lines, int column) {
        var cells = new ArrayList<String>();
        cells.add(headings.get(column));
        rows.forEach(row -> cells.add(row.get(column)));
        var width = cells.stream().mapToInt(TextTable::width).max().orElse(0);
        for (int line = 0; line < cells.size(); line++) {
            var cell = cells.get(line);
            lines.get(line).append(cell).repeat(' ', width - width(cell)).append(GAP);
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
