package dev.caisson.webhooks;

import dev.caisson.call.Digests;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/// Signer of webhook deliveries in the way of Standard Webhooks, so that receivers can use what
/// they have:
///
/// ```
/// webhook-id: <unique, the same for every try>
/// webhook-timestamp: <seconds since 1970>
/// webhook-signature: v1,<base64 of HMAC-SHA256(secret, id.timestamp.body)>
/// ```
///
/// Every caller has a secret of its own, derived from the server's, so it need not be stored.
final class Signer {
    private final byte[] serverSecret;

    Signer(byte[] serverSecret) {
        this.serverSecret = serverSecret.clone();
    }

    /// What a caller gives to its receivers.
    String secret(String owner) {
        return "whsec_" + Base64.getEncoder().encodeToString(key(owner));
    }

    Map<String, String> headers(String owner, String id, Instant now, byte[] body) {
        var timestamp = String.valueOf(now.getEpochSecond());
        var start = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        var signature =
                Base64.getEncoder().encodeToString(Digests.hmacSha256(key(owner), start, body));
        return Map.of(
                "webhook-id", id,
                "webhook-timestamp", timestamp,
                "webhook-signature", "v1," + signature);
    }

    private byte[] key(String owner) {
        return Digests.hmacSha256(
                serverSecret, ("webhook\n" + owner).getBytes(StandardCharsets.UTF_8));
    }
}
