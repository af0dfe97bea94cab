package dev.caisson.redact;

/// A stretch of text that must not be shown.
///
/// @param start of the first character
/// @param end behind the last one
/// @param name what kind of secret it is; shown in its place
record SecretSpan(int start, int end, String name) {
    String replacement() {
        return "[REDACTED:" + name + "]";
    }
}
