package dev.caisson.identity;

import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Signed token in its compact form (RFC 7515): a header, claims and a signature, each in Base64url
/// without padding, with dots between them. Nothing of it is believed before its signature is.
///
/// @param signed what the signature is about
@SuppressWarnings("ArrayRecordComponent") // Tokens are never compared.
record SignedToken(ObjectNode header, ObjectNode claims, byte[] signed, byte[] signature) {
    /// How long a token may be, in characters.
    static final int LENGTH_MAX = 8 << 10;

    /// The beginning is that of a JSON object with a name in it.
    private static final Pattern SHAPE =
            Pattern.compile("(eyJ[A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]*)");

    /// Whether a bearer means to be one.
    static boolean isMeant(String bearer) {
        return SHAPE.matcher(bearer).matches();
    }

    /// Empty when it is none.
    static Optional<SignedToken> read(String bearer) {
        var shape = SHAPE.matcher(bearer);
        if (bearer.length() > LENGTH_MAX || !shape.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new SignedToken(
                            object(shape.group(1)),
                            object(shape.group(2)),
                            bearer.substring(0, shape.end(2)).getBytes(StandardCharsets.US_ASCII),
                            Base64.getUrlDecoder().decode(shape.group(3))));
        } catch (IllegalArgumentException | JacksonException | ClassCastException none) {
            return Optional.empty();
        }
    }

    private static ObjectNode object(String part) {
        return (ObjectNode) Json.parseAnswer(Base64.getUrlDecoder().decode(part));
    }

    /// A text of the header; empty when there is none.
    Optional<String> headed(String name) {
        return Optional.ofNullable(header.path(name).stringValue(null));
    }

    /// A text of the claims; empty when there is none.
    Optional<String> claimed(String name) {
        return Optional.ofNullable(claims.path(name).stringValue(null));
    }
}
