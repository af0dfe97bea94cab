package dev.caisson.oauth;

/// Failure of something that OAuth needs, in words for whoever can mend it. There is no token and
/// no other secret in them.
public final class OAuthFailure extends Exception {
    private static final long serialVersionUID = 1L;

    OAuthFailure(String sentence) {
        super(sentence, null, false, false);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
