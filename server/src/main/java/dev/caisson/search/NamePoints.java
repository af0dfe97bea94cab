package dev.caisson.search;

import java.util.Arrays;

/// Decoding of names into characters: a byte that is not part of UTF-8 is a character of its own,
/// behind all others.
final class NamePoints {
    private static final int STRAY = CodePoints.LAST + 1;

    private NamePoints() {}

    static int[] of(byte[] name) {
        var points = new int[name.length];
        int count = 0;
        for (int at = 0; at < name.length; ) {
            int length = length(name, at);
            points[count++] = length == 0 ? STRAY + (name[at] & 0xff) : point(name, at, length);
            at += Math.max(1, length);
        }
        return Arrays.copyOf(points, count);
    }

    /// @return 0 when no character begins there
    private static int length(byte[] name, int at) {
        int first = name[at] & 0xff;
        int length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (length == 0 || first > 0xf4 || at + length > name.length) {
            return 0;
        }
        for (int each = 1; each < length; each++) {
            if ((name[at + each] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    private static int point(byte[] name, int at, int length) {
        int point = length == 1 ? name[at] : name[at] & (0x7f >> length);
        for (int each = 1; each < length; each++) {
            point = (point << 6) | (name[at + each] & 0x3f);
        }
        return point;
    }
}
