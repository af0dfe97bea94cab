package dev.caisson.broker;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// What a tool says about its call for the record of it. Any thread of the tool may write here.
public final class CallNotes {
    private final AtomicLong redactions = new AtomicLong();
    private final AtomicReference<Optional<String>> codeHash =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<String>> approval =
            new AtomicReference<>(Optional.empty());

    /// So many secrets were taken out of the answer.
    public void redacted(long count) {
        redactions.addAndGet(count);
    }

    /// @param hash the SHA-256 of the program in UTF-8, as `sha256:` and hexadecimal digits
    public void ranCode(String hash) {
        codeHash.set(Optional.of(hash));
    }

    /// @param decision in a word, such as `approved`
    public void approval(String decision) {
        approval.set(Optional.of(decision));
    }

    public long redactions() {
        return redactions.get();
    }

    public Optional<String> codeHash() {
        return codeHash.get();
    }

    public Optional<String> approval() {
        return approval.get();
    }
}
