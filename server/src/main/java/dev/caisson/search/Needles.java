package dev.caisson.search;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Short stretches of bytes, one of which is in every match of an expression; at each place of one
/// several bytes may stand, such as a letter in both cases. A text is looked through by Horspool's
/// rule: what the last byte of a window says is far from any of them is passed over.
final class Needles {
    /// Shorter ones are in too many lines to be of use.
    private static final int LENGTH_MIN = 3;

    private static final int LENGTH_MAX = 32;
    private static final int COUNT_MAX = 64;

    /// How many bytes may stand at a place.
    private static final int BYTES_MAX = 8;

    private static final int ASCII = 0x80;

    /// How long the window is.
    private final int length;

    /// By place and byte, which of them may have it there.
    private final long[][] masks;

    private final int[] shifts = new int[256];

    private Needles(List<List<byte[]>> all, int length) {
        this.length = length;
        masks = new long[length][256];
        Arrays.fill(shifts, length);
        for (int each = 0; each < all.size(); each++) {
            for (int place = 0; place < length; place++) {
                for (byte one : all.get(each).get(place)) {
                    masks[place][one & 0xff] |= 1L << each;
                    if (place < length - 1) {
                        shifts[one & 0xff] = Math.min(shifts[one & 0xff], length - 1 - place);
                    }
                }
            }
        }
    }

    static Optional<Needles> of(Syntax syntax) {
        var all = best(syntax);
        int length = shortest(all);
        return length >= LENGTH_MIN
                ? Optional.of(new Needles(all, Math.min(length, LENGTH_MAX)))
                : Optional.empty();
    }

    /// @return no stretches when there is nothing that every match has
    private static List<List<byte[]>> best(Syntax syntax) {
        var finder = new Finder();
        finder.see(syntax);
        finder.cut();
        return finder.best;
    }

    private static int shortest(List<List<byte[]>> all) {
        return all.stream().mapToInt(List::size).min().orElse(0);
    }

    private static final class Finder {
        private final List<byte[]> now = new ArrayList<>();
        private List<List<byte[]>> best = List.of();

        void see(Syntax part) {
            switch (part) {
                case Syntax.OneOf(var set) -> see(set);
                case Syntax.Sequence(var parts) -> parts.forEach(this::see);
                case Syntax.Either(var parts) -> {
                    cut();
                    offer(either(parts));
                }
                case Syntax.At _ -> {}
                case Syntax.Repeat repeat -> {
                    if (repeat.min() > 0) {
                        see(repeat.part());
                    }
                    if (repeat.min() != 1 || repeat.max() != 1) {
                        cut();
                    }
                }
            }
        }

        private void see(CodePoints set) {
            if (set.isOne()) {
                var utf8 = Character.toString(set.from(0)).getBytes(StandardCharsets.UTF_8);
                for (byte one : utf8) {
                    now.add(new byte[] {one});
                }
            } else if (!set.isEmpty() && set.to(set.ranges() - 1) < ASCII && few(set)) {
                now.add(bytes(set));
            } else {
                cut();
            }
        }

        private static boolean few(CodePoints set) {
            int count = 0;
            for (int range = 0; range < set.ranges(); range++) {
                count += set.to(range) - set.from(range) + 1;
            }
            return count <= BYTES_MAX;
        }

        private static byte[] bytes(CodePoints set) {
            var all = new byte[BYTES_MAX];
            int count = 0;
            for (int range = 0; range < set.ranges(); range++) {
                for (int point = set.from(range); point <= set.to(range); point++) {
                    all[count++] = (byte) point;
                }
            }
            return Arrays.copyOf(all, count);
        }

        private static List<List<byte[]>> either(List<Syntax> parts) {
            var all = new ArrayList<List<byte[]>>();
            for (var part : parts) {
                var some = best(part);
                if (some.isEmpty() || all.size() + some.size() > COUNT_MAX) {
                    return List.of();
                }
                all.addAll(some);
            }
            return all;
        }

        void cut() {
            if (!now.isEmpty()) {
                offer(List.of(List.copyOf(now)));
            }
            now.clear();
        }

        private void offer(List<List<byte[]>> other) {
            if (shortest(other) > shortest(best)) {
                best = other;
            }
        }
    }

    /// @return where one of them begins; -1 when there is none
    int find(byte[] text, int from, int to) {
        int last = length - 1;
        var ends = masks[last];
        for (int at = from + last; at < to; ) {
            int one = text[at] & 0xff;
            if (ends[one] != 0 && isAt(text, at - last)) {
                return at - last;
            }
            at += shifts[one];
        }
        return -1;
    }

    private boolean isAt(byte[] text, int from) {
        long left = -1;
        for (int place = length - 1; place >= 0 && left != 0; place--) {
            left &= masks[place][text[from + place] & 0xff];
        }
        return left != 0;
    }
}
