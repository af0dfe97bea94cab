package dev.caisson.call;

import java.security.SecureRandom;
import java.util.HexFormat;

/// Maker of ids that are ordered by the moment they are made, so that an index of them grows at one
/// end, and that nobody can guess.
///
/// An id is 32 hexadecimal digits: 12 of the milliseconds since 1970, then 80 random bits. Ids of
/// former versions are random throughout and as valid.
public final class OrderedId {
    private static final int BYTES = 16;
    private static final int MOMENT_BYTES = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private OrderedId() {}

    public static String fresh() {
        return at(System.currentTimeMillis());
    }

    /// The first digits of every id that is made after a moment: no earlier id is greater.
    ///
    /// @param millis since 1970
    public static String after(long millis) {
        return HexFormat.of().toHexDigits(millis + 1).substring(Long.BYTES * 2 - MOMENT_BYTES * 2);
    }

    /// @param millis since 1970
    static String at(long millis) {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        for (int i = 0; i < MOMENT_BYTES; i++) {
            bytes[i] = (byte) (millis >>> (Byte.SIZE * (MOMENT_BYTES - 1 - i)));
        }
        return HexFormat.of().formatHex(bytes);
    }
}
