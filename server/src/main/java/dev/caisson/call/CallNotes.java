package dev.caisson.call;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Notes about a call for its record, made by the work itself. Any thread of a tool may write here.
public final class CallNotes {
    /// How long the word for a failure may be; what is longer is cut.
    static final int FAILURE_BYTES_MAX = 512;

    private final Optional<NestedIn> nestedIn;
    private final long began = System.nanoTime();
    private final Queue<Supplier<List<CallStep>>> steps = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Optional<String>> execution =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<JsonNode>> metadata =
            new AtomicReference<>(Optional.empty());
    private final Queue<Durable> unsettled = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean changing = new AtomicBoolean();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean sent = new AtomicBoolean();
    private final AtomicReference<Runnable> beforeSending = new AtomicReference<>(() -> {});
    private Optional<String> id = Optional.empty();
    private final AtomicReference<Optional<CallNotes>> continued =
            new AtomicReference<>(Optional.empty());
    private final AtomicBoolean recorded = new AtomicBoolean();
    private final AtomicLong handedOut = new AtomicLong();
    private final AtomicLong redactions = new AtomicLong();
    private final AtomicReference<Optional<String>> codeHash =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<String>> approval =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<Judgement>> judgement =
            new AtomicReference<>(Optional.empty());
    private final AtomicReference<List<String>> drift = new AtomicReference<>(List.of());
    private final AtomicReference<Optional<String>> failure =
            new AtomicReference<>(Optional.empty());

    public CallNotes() {
        this(Optional.empty());
    }

    private CallNotes(Optional<NestedIn> nestedIn) {
        this.nestedIn = nestedIn;
    }

    /// Of a call that a program made.
    public static CallNotes nestedIn(NestedIn place) {
        return new CallNotes(Optional.of(place));
    }

    /// Without what was noted, but for where the call was made.
    CallNotes fresh() {
        var fresh = new CallNotes(nestedIn);
        continued.set(Optional.of(fresh));
        return fresh;
    }

    /// The notes of the call that was last made with these; these themselves before one was.
    public CallNotes latest() {
        return continued.get().orElse(this);
    }

    /// Where a program made the call; empty when no program did.
    public Optional<NestedIn> nestedIn() {
        return nestedIn;
    }

    /// The id of the call, of which there is no other.
    public synchronized String id() {
        if (id.isEmpty()) {
            id =
                    nestedIn.map(NestedIn::callId)
                            .or(() -> Optional.of("call_" + TraceId.fresh().value()));
        }
        return id.orElseThrow();
    }

    /// It passed all checks, and its tool is called.
    public void begins() {
        begun.set(true);
    }

    public boolean begun() {
        return begun.get();
    }

    /// Says what is done before something of it is sent to another server.
    public void beforeSending(Runnable noting) {
        beforeSending.set(noting);
    }

    /// Something of it is sent to another server, as soon as this returns.
    public void sends() {
        beforeSending.get().run();
        sent.set(true);
    }

    public boolean sent() {
        return sent.get();
    }

    /// Work is about to begin that may change something.
    public void mayChange() {
        changing.set(true);
    }

    public boolean changing() {
        return changing.get();
    }

    /// The record of this call was written with what it did, in one transaction. No other one is
    /// written.
    public void recorded() {
        recorded.set(true);
    }

    public boolean isRecorded() {
        return recorded.get();
    }

    /// So many bytes were handed out beside the result, such as those of a file.
    public void handedOut(long bytes) {
        handedOut.addAndGet(bytes);
    }

    public long handedOutBytes() {
        return handedOut.get();
    }

    /// So many secrets were taken out of the answer.
    public void redacted(long count) {
        redactions.addAndGet(count);
    }

    /// @param hash of the program in UTF-8, see [dev.caisson.call.KeyedDigest]
    public void ranCode(String hash) {
        codeHash.set(Optional.of(hash));
    }

    /// @param decision in a word, such as `approved`
    public void approval(String decision) {
        approval.set(Optional.of(decision));
    }

    /// What the policy decided it by.
    public void judged(Judgement by) {
        judgement.set(Optional.of(by));
    }

    public Optional<Judgement> judgement() {
        return judgement.get();
    }

    /// The result was not as those before.
    ///
    /// @param changes each with the tool, the member and its type
    public void drifted(List<String> changes) {
        drift.set(List.copyOf(changes));
    }

    public List<String> drift() {
        return drift.get();
    }

    /// The call was answered with a failure.
    ///
    /// @param why in a few words from closed sets or numbers, such as `timeout` or `exit code 3`;
    ///   never what a caller or a program wrote, for traces show it
    public void failedBy(String why) {
        failure.set(Optional.of(cut(why)));
    }

    /// No character is cut in two.
    private static String cut(String why) {
        var bytes = why.getBytes(StandardCharsets.UTF_8);
        var end = Math.min(bytes.length, FAILURE_BYTES_MAX);
        while (end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /// The caller does not hear the answer before this is durable.
    public void awaits(Durable written) {
        unsettled.add(written);
    }

    public void settle() {
        for (var next = unsettled.poll(); next != null; next = unsettled.poll()) {
            next.await();
        }
    }

    /// Awaits what does not share the commit of the call's own entry: when it fails, the entry says
    /// so.
    public void settleTaken() {
        var taken = unsettled.stream().filter(each -> !each.isWaiting()).toList();
        unsettled.removeAll(taken);
        taken.forEach(Durable::await);
    }

    /// Some work has just ended that was done in steps.
    ///
    /// @param ofWork makes them of when it ended, after the beginning of the call; asked only when
    ///   somebody wants to know
    public void took(Function<Duration, List<CallStep>> ofWork) {
        var ended = Duration.ofNanos(System.nanoTime() - began);
        steps.add(() -> ofWork.apply(ended));
    }

    /// @param id of the execution it has become
    public void became(String id) {
        execution.set(Optional.of(id));
    }

    public List<CallStep> steps() {
        return steps.stream().flatMap(some -> some.get().stream()).toList();
    }

    /// The execution it has become.
    public Optional<String> execution() {
        return execution.get();
    }

    /// @param said what the caller said about its run, for programs of its own
    public void described(JsonNode said) {
        metadata.set(Optional.of(said));
    }

    public Optional<JsonNode> metadata() {
        return metadata.get();
    }

    public long redactions() {
        return redactions.get();
    }

    public Optional<String> codeHash() {
        return codeHash.get();
    }

    public Optional<String> failure() {
        return failure.get();
    }

    public Optional<String> approval() {
        return approval.get();
    }
}
