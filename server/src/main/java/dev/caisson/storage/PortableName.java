package dev.caisson.storage;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The text of a name so that every system can make a file of it, Windows too, and that it is read
/// as it is. Written as `%` and two hexadecimal digits for each byte, as [PathText] does it, are
///
/// - `\ : * ? " < > |`, which mean something else to Windows, such as a directory or a stream;
/// - marks that change the direction of writing, by which `a\u202Egnp.exe` looks like a picture,
///   and the other characters of Unicode that format and show nothing;
/// - a dot or a space at the end, which Windows drops;
/// - the first letter of the names of devices, such as `CON`, `nul.txt` or `COM1`.
///
/// What [PathText] reads from it is the name itself, so two names never become one.
public final class PortableName {
    private static final String SPECIAL = "\\:*?\"<>|";
    private static final Pattern DEVICE =
            Pattern.compile(
                    "(?i)(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\\..*)?");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PortableName() {}

    /// @param name the text of a name, as [FilePath#name()] has it
    public static String of(String name) {
        var portable = new StringBuilder(name.length() + 8);
        var device = DEVICE.matcher(name).matches();
        for (var at = 0; at < name.length(); at += Character.charCount(name.codePointAt(at))) {
            var character = name.codePointAt(at);
            var last = at + Character.charCount(character) == name.length();
            if ((device && at == 0) || isSpecial(character) || (last && isDropped(character))) {
                escape(portable, character);
            } else {
                portable.appendCodePoint(character);
            }
        }
        return portable.toString();
    }

    /// Every name of a path.
    public static String of(FilePath path) {
        var portable = new StringBuilder(path.text().length() + 8);
        for (var name : path.text().split("/", -1)) {
            portable.append(portable.isEmpty() ? "" : "/").append(of(name));
        }
        return portable.toString();
    }

    private static boolean isSpecial(int character) {
        return SPECIAL.indexOf(character) >= 0
                || switch (Character.getType(character)) {
                    case Character.FORMAT,
                            Character.CONTROL,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR ->
                            true;
                    default -> false;
                };
    }

    private static boolean isDropped(int character) {
        return character == '.' || character == ' ';
    }

    private static void escape(StringBuilder portable, int character) {
        for (var one : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            portable.append('%').append(HEX.toHexDigits(one));
        }
    }
}
