package dev.caisson.storage.link;

import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.tree.PathText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An address below which every file of one thread, or of one directory in it, can be fetched,
/// until a moment: `/run-files/<token>/<path>`. Programs make addresses of their files from it,
/// which they cannot sign. The token is `<expiry>-<id of the secret>-<place>-<signature>`, with
/// `-<directory>` behind the place if it is not for the whole thread, and has one spelling; the
/// path is the caller's, in any spelling, for the token covers all of them.
///
/// What is signed has another beginning than a [Link], so that neither passes for the other:
/// `14:caisson-base-1`, `3:GET`, `6:thread`, the place, the expiry, the id of the secret and the
/// directory if there is one, each with its length before it.
///
/// @param place which of all threads it is, and whose, see [LinkPlace]
/// @param directory the bytes of its path in hexadecimal digits; empty for the whole thread
/// @param expires in seconds since 1970
public record BaseLink(String place, String directory, long expires, String keyId) {
    public static final String PREFIX = "/run-files/";

    private static final Pattern TOKEN =
            Pattern.compile(
                    "([0-9]{1,18})-([0-9a-f]{1,64})-([0-9a-f]{64}[.][0-9a-f]{16})"
                            + "(?:-([0-9a-f]{2,8190}))?-[0-9a-f]{64}");

    public static BaseLink of(LinkPlace place, FilePath directory, long expires, String keyId) {
        var bytes = directory.isRoot() ? new byte[0] : directory.bytes();
        return new BaseLink(place.text(), HexFormat.of().formatHex(bytes), expires, keyId);
    }

    /// @return empty when no signature could make it a token
    public static Optional<BaseLink> parse(String token) {
        var match = TOKEN.matcher(token);
        return match.matches()
                ? Optional.of(
                        new BaseLink(
                                match.group(3),
                                Optional.ofNullable(match.group(4)).orElse(""),
                                Long.parseLong(match.group(1)),
                                match.group(2)))
                : Optional.empty();
    }

    public String token(byte[] signature) {
        var where = directory.isEmpty() ? place : place + "-" + directory;
        return "%d-%s-%s-%s".formatted(expires, keyId, where, HexFormat.of().formatHex(signature));
    }

    public byte[] signedText() {
        var parts =
                Stream.of(
                        "caisson-base-1",
                        "GET",
                        Source.THREAD.word(),
                        place,
                        Long.toString(expires),
                        keyId);
        var narrowed = directory.isEmpty() ? parts : Stream.concat(parts, Stream.of(directory));
        return SignedText.of(narrowed.toArray(String[]::new));
    }

    /// The path in the thread of the file at the end of an address, whose token was found good.
    ///
    /// @param decoded names as they are on the disk, in UTF-8, with slashes between
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT when it is the path of no file
    public FilePath path(String decoded) {
        var start = new String(HexFormat.of().parseHex(directory), StandardCharsets.ISO_8859_1);
        var whole =
                path(start, StandardCharsets.ISO_8859_1)
                        .child(path(decoded, StandardCharsets.UTF_8));
        return FileSpace.thread("").path(whole.text());
    }

    private static FilePath path(String names, Charset bytes) {
        var text = new StringBuilder();
        for (var name : names.split("/", -1)) {
            text.append(text.isEmpty() ? "" : "/").append(PathText.of(name.getBytes(bytes)));
        }
        return FileSpace.thread("").path(text.toString());
    }
}
