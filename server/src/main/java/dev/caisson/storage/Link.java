package dev.caisson.storage;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// What a signed link allows: one act on one file, until a moment.
///
/// What is signed is every part with its length before it, so that no two links share a text:
/// `14:caisson-link-1`, the act, the source, the place, the id, the path, the expiry in seconds
/// since 1970, and the id of the secret.
///
/// @param place which of all threads or volumes it is and who made the link, see [LinkPlace]
/// @param expires in seconds since 1970
record Link(Act act, FileSpace space, String place, FilePath path, long expires, String keyId) {
    enum Act {
        GET,
        PUT
    }

    byte[] signedText() {
        var text = new ByteArrayOutputStream();
        part(text, "caisson-link-1");
        part(text, act.name());
        part(text, space.source().word());
        part(text, place);
        part(text, space.id());
        part(text, path.text());
        part(text, Long.toString(expires));
        part(text, keyId);
        return text.toByteArray();
    }

    private static void part(ByteArrayOutputStream text, String part) {
        var bytes = part.getBytes(StandardCharsets.UTF_8);
        text.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        text.writeBytes(bytes);
    }
}
