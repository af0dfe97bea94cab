package dev.caisson.oauth;

/// Failure of something that OAuth needs, in words for whoever can mend it. There is no token and
/// no other secret in them.
public final class OAuthFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /// Who can mend it.
    public enum Kind {
        /// A person must visit a page of the authorization server.
        VISIT,
        /// The authorization server, or whoever set its addresses.
        SERVER
    }

    private final Kind kind;

    OAuthFailure(String sentence) {
        this(Kind.SERVER, sentence);
    }

    OAuthFailure(Kind kind, String sentence) {
        super(sentence, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
