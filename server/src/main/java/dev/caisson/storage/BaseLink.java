package dev.caisson.storage;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// An address below which every file of one thread can be fetched, until a moment:
/// `/run-files/<token>/<path>`. Programs make addresses of their files from it, which they cannot
/// sign. The token is `<expiry>-<id of the secret>-<place>-<signature>`, and has one spelling; the
/// path is the caller's, in any spelling, for the token covers all of them.
///
/// What is signed has another beginning than a [Link], so that neither passes for the other:
/// `14:caisson-base-1`, `3:GET`, `6:thread`, the place, the expiry and the id of the secret, each
/// with its length before it.
///
/// @param place which of all threads it is, and whose, see [LinkPlace]
/// @param expires in seconds since 1970
record BaseLink(String place, long expires, String keyId) {
    static final String PREFIX = "/run-files/";

    private static final Pattern TOKEN =
            Pattern.compile(
                    "([0-9]{1,18})-([0-9a-f]{1,64})-([0-9a-f]{64}[.][0-9a-f]{16})-[0-9a-f]{64}");

    /// @return empty when no signature could make it a token
    static Optional<BaseLink> parse(String token) {
        var match = TOKEN.matcher(token);
        return match.matches()
                ? Optional.of(
                        new BaseLink(
                                match.group(3), Long.parseLong(match.group(1)), match.group(2)))
                : Optional.empty();
    }

    String token(byte[] signature) {
        return "%d-%s-%s-%s".formatted(expires, keyId, place, HexFormat.of().formatHex(signature));
    }

    byte[] signedText() {
        return SignedText.of(
                "caisson-base-1",
                "GET",
                Source.THREAD.word(),
                place,
                Long.toString(expires),
                keyId);
    }

    /// The file at the end of an address.
    ///
    /// @param decoded names as they are on the disk, in UTF-8, with slashes between
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT when it is the path of no file
    static FilePath path(String decoded) {
        var text = new StringBuilder();
        for (var name : decoded.split("/", -1)) {
            text.append(text.isEmpty() ? "" : "/")
                    .append(PathText.of(name.getBytes(StandardCharsets.UTF_8)));
        }
        return FileSpace.thread("").path(text.toString());
    }
}
