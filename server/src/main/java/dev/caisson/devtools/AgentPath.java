package dev.caisson.devtools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.storage.FilePath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// Paths as coding agents write them: from the root of the thread, or absolute as programs see
/// them. A byte of a name that is no text is `\xNN`.
final class AgentPath {
    /// Longer ones are refused.
    static final int LENGTH_MAX = 16_384;

    private static final List<String> ROOTS = List.of("/workspace", "/data", "/home/baponi");
    private static final int NAME_BYTES_MAX = 255;
    private static final HexFormat HEX = HexFormat.of();

    private AgentPath() {}

    /// @throws Refusal INVALID_ARGUMENT for one that leads out of the workspace
    static FilePath parse(String given) {
        var below = new ArrayDeque<String>();
        for (var name : relative(given).split("/", -1)) {
            if (name.equals("..")) {
                if (below.isEmpty()) {
                    throw outside(given);
                }
                below.removeLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                below.add(name);
            }
        }
        var path = FilePath.ROOT;
        int length = 0;
        for (var name : below) {
            var bytes = bytes(name);
            length += bytes.length + 1;
            if (bytes.length > NAME_BYTES_MAX || length > FilePath.BYTES_MAX) {
                throw refused("path is too long: " + given);
            }
            path = path.child(bytes);
        }
        return path;
    }

    private static String relative(String given) {
        if (!given.startsWith("/")) {
            return given;
        }
        for (var root : ROOTS) {
            if (given.equals(root) || given.startsWith(root + "/")) {
                return given.substring(root.length());
            }
        }
        throw outside(given);
    }

    private static Refusal outside(String given) {
        return refused(
                "path is outside the workspace: " + given + ". Use a path below /workspace.");
    }

    private static Refusal refused(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", "file_path"));
    }

    private static byte[] bytes(String name) {
        var bytes = new ByteArrayOutputStream(name.length());
        int from = 0;
        for (int at = name.indexOf('\\'); at >= 0; at = name.indexOf('\\', at + 1)) {
            if (at >= from && isEscape(name, at)) {
                bytes.writeBytes(name.substring(from, at).getBytes(StandardCharsets.UTF_8));
                bytes.write(HexFormat.fromHexDigits(name, at + 2, at + 4));
                from = at + 4;
            }
        }
        bytes.writeBytes(name.substring(from).getBytes(StandardCharsets.UTF_8));
        var all = bytes.toByteArray();
        var plain = new String(all, StandardCharsets.ISO_8859_1);
        boolean led = plain.equals(".") || plain.equals("..");
        if (led || plain.indexOf('\0') >= 0 || plain.indexOf('/') >= 0) {
            throw refused("path has a name that cannot be: " + name);
        }
        return all;
    }

    private static boolean isEscape(String text, int at) {
        return at + 3 < text.length()
                && text.charAt(at) == '\\'
                && text.charAt(at + 1) == 'x'
                && HexFormat.isHexDigit(text.charAt(at + 2))
                && HexFormat.isHexDigit(text.charAt(at + 3));
    }

    /// A path as it is shown, and taken again.
    static String shown(FilePath path) {
        return path.isRoot() ? "." : shown(path.text());
    }

    /// @param text as [FilePath] has it, where such a byte is `%NN`
    private static String shown(String text) {
        var shown = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            if (one == '%' && isHex(text, at + 1)) {
                int value = HexFormat.fromHexDigits(text, at + 1, at + 3);
                shown.append(value == '%' ? "%" : "\\x" + HEX.toHexDigits((byte) value));
                at += 2;
            } else if (isEscape(text, at)) {
                shown.append("\\x5c");
            } else {
                shown.append(one);
            }
        }
        return shown.toString();
    }

    private static boolean isHex(String text, int at) {
        return at + 1 < text.length()
                && HexFormat.isHexDigit(text.charAt(at))
                && HexFormat.isHexDigit(text.charAt(at + 1));
    }

    /// A path of bytes, as a search finds it.
    static FilePath of(byte[] path) {
        var all = FilePath.ROOT;
        int from = 0;
        for (int at = 0; at <= path.length; at++) {
            if (at == path.length || path[at] == '/') {
                if (at > from) {
                    all = all.child(Arrays.copyOfRange(path, from, at));
                }
                from = at + 1;
            }
        }
        return all;
    }
}
