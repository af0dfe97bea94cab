package dev.caisson.rpc;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// Text in a header of the protocol: as it is where it can stand there, else in Base64 between two
/// marks.
public final class HeaderText {
    public static final String ENCODED_START = "=?base64?";
    public static final String ENCODED_END = "?=";

    private HeaderText() {}

    public static String encoded(String text) {
        return isPlain(text)
                ? text
                : ENCODED_START
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                        + ENCODED_END;
    }

    private static boolean isPlain(String text) {
        return !text.isEmpty()
                && text.strip().length() == text.length()
                && text.chars().allMatch(each -> each >= ' ' && each < 0x7f)
                && !(text.startsWith(ENCODED_START) && text.endsWith(ENCODED_END));
    }
}
