package dev.caisson.egress;

import java.io.IOException;

/// Refusal of a request to a proxy: what its program is answered, and what is noted.
final class ProxyRefusal extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final NetworkVerdict verdict;

    ProxyRefusal(int status, NetworkVerdict verdict, String sentence) {
        super(sentence);
        this.status = status;
        this.verdict = verdict;
    }

    static ProxyRefusal malformed(String sentence) {
        return new ProxyRefusal(400, NetworkVerdict.MALFORMED, sentence);
    }

    static ProxyRefusal denied(String sentence) {
        return new ProxyRefusal(403, NetworkVerdict.DENIED, sentence);
    }

    int status() {
        return status;
    }

    NetworkVerdict verdict() {
        return verdict;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
