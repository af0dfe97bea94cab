package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Map;

/// Check that refuses text with a NUL. The kernel and most interpreters end a text there, so that a
/// part of it would be taken for all of it.
public final class NulCheck {
    private NulCheck() {}

    /// @param member of the arguments, as the caller knows it
    /// @throws Refusal INVALID_ARGUMENT that says where the first one is
    public static void require(String member, String text) {
        var at = text.indexOf('\0');
        if (at < 0) {
            return;
        }
        var lineStart = text.lastIndexOf('\n', at) + 1;
        var line = 1 + text.substring(0, lineStart).chars().filter(each -> each == '\n').count();
        var column = 1 + text.codePointCount(lineStart, at);
        throw new Refusal(
                Reason.INVALID_ARGUMENT,
                "%s has a NUL character at line %d, column %d. Remove it, or write it as an escape."
                        .formatted(member, line, column),
                Map.of("parameter", member, "line", line, "column", column));
    }
}
