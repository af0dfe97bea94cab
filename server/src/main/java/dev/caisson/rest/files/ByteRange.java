package dev.caisson.rest.files;

import java.util.Optional;
import java.util.regex.Pattern;

/// Byte range of a file that was asked for.
///
/// @param length 0 when nothing of it is there
public record ByteRange(long from, long length) {
    private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /// @return empty when the whole is meant: without a range, with several, or one that is none
    public static Optional<ByteRange> parse(Optional<String> header, long size) {
        var matcher = ONE.matcher(header.orElse(""));
        if (!matcher.matches() || matcher.end() == "bytes=-".length()) {
            return Optional.empty();
        }
        var first = matcher.group(1);
        var last = matcher.group(2);
        if (first.isEmpty()) {
            var length = Math.min(Long.parseLong(last), size);
            return Optional.of(new ByteRange(size - length, length));
        }
        var from = Long.parseLong(first);
        var to = last.isEmpty() ? size - 1 : Math.min(Long.parseLong(last), size - 1);
        if (!last.isEmpty() && Long.parseLong(last) < from) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(from, Math.max(0, to - from + 1)));
    }

    /// As `Content-Range` says it.
    public String of(long size) {
        return "bytes " + from + "-" + (from + length - 1) + "/" + size;
    }
}
