package dev.caisson.runs;

import dev.caisson.executions.Ended;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.json.Json;
import dev.caisson.storage.WorkspaceFile;
import java.util.stream.Collectors;

/// An execution as text for a reader: what was written to each stream, how it ended, what it left.
///
/// Output stands in a fence that is longer than any run of backticks in it, so it cannot end its
/// block and speak in our name. Control characters are shown as their pictures.
public final class ExecutionText {
    private static final int VALUE_LENGTH_MAX = 8_000;

    private ExecutionText() {}

    public static String of(FinishedRun execution) {
        var text = new StringBuilder("## Execution Result\n\n");
        block(text, "stdout", execution.output().stdout().excerpt().text());
        block(text, "stderr", execution.output().stderr().excerpt().text());
        execution.value().ifPresent(value -> value(text, value));
        block(text, "last expression", Displays.plain(execution.display()));
        ending(text, execution.ending());
        execution
                .turn()
                .map(SessionReport::sentence)
                .ifPresent(sentence -> text.append("\n\n**Session:** ").append(visible(sentence)));
        if (!execution.changed().isEmpty()) {
            text.append("\n\n**Files:** ").append(files(execution));
            if (!execution.keepsFiles()) {
                text.append(" (erased: no thread_id)");
            }
        }
        if (execution.hasMore()) {
            text.append("\n\n**Execution:** ").append(execution.id());
        }
        execution
                .attempt()
                .filter(_ -> !execution.ending().succeeded())
                .ifPresent(attempt ->
                        text.append("\n\n**Attempt:** ")
                                .append(attempt.number())
                                .append(" of ")
                                .append(attempt.max()));
        execution
                .advice()
                .ifPresent(advice -> text.append("\n\n**Advice:** ").append(visible(advice)));
        return text.toString();
    }

    private static void block(StringBuilder text, String name, String output) {
        if (output.isEmpty()) {
            return;
        }
        text.append(fenced(name, output)).append("\n\n");
    }

    /// Something a program wrote, under a name.
    static String fenced(String name, String output) {
        var visible = visible(output);
        var fence = fence(visible);
        var end = visible.endsWith("\n") ? "" : "\n";
        return "**" + name + ":**\n" + fence + "\n" + visible + end + fence;
    }

    private static void value(StringBuilder text, ReturnedValue value) {
        block(text, "result", value.shown(data -> shortened(Json.text(data))));
    }

    private static String shortened(String json) {
        return json.length() <= VALUE_LENGTH_MAX
                ? json
                : json.substring(0, VALUE_LENGTH_MAX)
                        + "\n[... %d characters omitted; the structured result has them ...]"
                                .formatted(json.length() - VALUE_LENGTH_MAX);
    }

    private static void ending(StringBuilder text, Ended ending) {
        ending.exitCode().ifPresent(code -> text.append("**Exit code:** ").append(code));
        ending.sentence()
                .ifPresent(sentence ->
                        text.append("**Status:** ")
                                .append(ending.status().word())
                                .append(". ")
                                .append(visible(sentence)));
    }

    private static String files(FinishedRun execution) {
        var changed = execution.changed();
        var names =
                changed.stream()
                        .limit(RunAnswer.FILES_MAX)
                        .map(file -> file(execution, file))
                        .collect(Collectors.joining(", "));
        return changed.size() <= RunAnswer.FILES_MAX
                ? names
                : names + " and " + (changed.size() - RunAnswer.FILES_MAX) + " more";
    }

    private static String file(FinishedRun execution, WorkspaceFile file) {
        var name = execution.shown(file).replace('`', '\'');
        return "`%s` (%s)".formatted(name, Quantities.bytes(file.size()));
    }

    /// At least three backticks, and one more than the longest run in the text.
    static String fence(String text) {
        var longest = 2;
        var run = 0;
        for (var at = 0; at < text.length(); at++) {
            run = text.charAt(at) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return "`".repeat(longest + 1);
    }

    /// The text without characters that make a terminal do something else than show them.
    public static String visible(String text) {
        var visible = new StringBuilder(text.length());
        for (var at = 0; at < text.length(); at++) {
            visible.append(
                    visible(text.charAt(at), at + 1 < text.length() ? text.charAt(at + 1) : 0));
        }
        return visible.toString();
    }

    private static String visible(char character, int next) {
        return switch (character) {
            case '\n', '\t' -> String.valueOf(character);
            case '\r' -> next == '\n' ? "" : "\n";
            case '\u007f' -> "\u2421";
            default -> {
                if (character < ' ') {
                    yield String.valueOf((char) (0x2400 + character));
                }
                yield character < 0x80 || character > 0x9f ? String.valueOf(character) : "\ufffd";
            }
        };
    }
}
