package dev.caisson.identity;

/// Key that was just made, with its secret.
///
/// @param secret what its holder presents; this is the only time it is seen
public record NewKey(KeyInfo info, String secret) {
    /// Without the secret, so that it cannot slip into a log.
    @Override
    public String toString() {
        return "NewKey[" + info + "]";
    }
}
