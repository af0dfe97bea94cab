package dev.caisson.storage.link;

import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;

/// Claim of a signed link: one act on one file, until a moment.
///
/// What is signed is every part with its length before it, so that no two links share a text:
/// `14:caisson-link-1`, the act, the source, the place, the id, the path, the expiry in seconds
/// since 1970, and the id of the secret.
///
/// @param place which of all threads or volumes it is and who made the link, see [LinkPlace]
/// @param expires in seconds since 1970
public record Link(
        Act act, FileSpace space, String place, FilePath path, long expires, String keyId) {
    public enum Act {
        GET,
        PUT
    }

    public byte[] signedText() {
        return SignedText.of(
                "caisson-link-1",
                act.name(),
                space.source().word(),
                place,
                space.id(),
                path.text(),
                Long.toString(expires),
                keyId);
    }
}
