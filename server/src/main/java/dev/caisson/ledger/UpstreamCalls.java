package dev.caisson.ledger;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.NormalResult;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.Call;
import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.call.Durable;
import dev.caisson.call.Judgement;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NestedIn;
import dev.caisson.call.Reason;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Record of the calls of other servers' tools, whatever the door, with what was sent and answered.
/// A call that may change something is in the database before its tool is called, and how it ended
/// before its caller hears of it; any other follows with the next commit. Each that is under way is
/// in [Intents], with whether it was sent.
public final class UpstreamCalls implements CallRecorder, AutoCloseable {
    /// Longer arguments and results are not kept.
    public static final int KEPT_BYTES_MAX = 256 << 10;

    /// What calls of one page have of them together, unless it is a single one.
    static final long PAGE_BYTES_MAX = 2 << 20;

    /// No call and no run of a program lasts longer.
    private static final Duration SETTLED = Duration.ofDays(2);

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamCalls.class);

    private final CallRecorder next;
    private final Store store;
    private final KeyedDigest digest;
    private final Clock clock;
    private final UpstreamCallLimits limits;
    private final Cleaning cleaning;
    private final Optional<Intents> intents;
    private final Map<String, UnderWay> underWay = new ConcurrentHashMap<>();
    private volatile Optional<Durable> last = Optional.empty();

    /// A call whose tool was called.
    private record UnderWay(UpstreamCall call, Optional<Intents.Noted> noted) {}

    /// Removes secrets from arguments; results come without.
    @FunctionalInterface
    public interface Cleaning {
        JsonNode of(String tool, String caller, ObjectNode arguments);
    }

    /// @param next is told first
    /// @param digest of arguments
    public UpstreamCalls(
            CallRecorder next,
            Store store,
            KeyedDigest digest,
            Clock clock,
            UpstreamCallLimits limits,
            Cleaning cleaning) {
        this(next, store, digest, clock, limits, cleaning, Optional.empty());
    }

    UpstreamCalls(
            CallRecorder next,
            Store store,
            KeyedDigest digest,
            Clock clock,
            UpstreamCallLimits limits,
            Cleaning cleaning,
            Optional<Intents> intents) {
        this.intents = intents;
        this.next = next;
        this.store = store;
        this.digest = digest;
        this.clock = clock;
        this.limits = limits;
        this.cleaning = cleaning;
    }

    /// The same for a server, which makes calls.
    ///
    /// @param directory of the file with those under way, and of those that processes left
    public static UpstreamCalls noting(
            CallRecorder next,
            Store store,
            KeyedDigest digest,
            Clock clock,
            UpstreamCallLimits limits,
            Cleaning cleaning,
            Path directory) {
        return new UpstreamCalls(
                next, store, digest, clock, limits, cleaning, Optional.of(Intents.in(directory)));
    }

    @Override
    public void begins(Call call, ActionRequest request) {
        next.begins(call, request);
        request.origin()
                .filter(origin -> !origin.isOwn())
                .ifPresent(origin -> intends(call, request, origin));
    }

    private void intends(Call call, ActionRequest request, ToolOrigin origin) {
        var told =
                new Told(
                        call.notes().id(),
                        call.notes().nestedIn(),
                        call.caller().id(),
                        request.name(),
                        request.arguments(),
                        clock.instant(),
                        call.door(),
                        call.notes().judgement());
        var intended = intended(told, origin);
        var noted = intents.flatMap(all -> all.note(intended));
        underWay.put(intended.id(), new UnderWay(intended, noted));
        noted.ifPresent(one -> call.notes().beforeSending(one::sends));
        if (origin.effect() != ToolEffect.READ || !isWhole(noted)) {
            store.write(handle -> {
                UpstreamCallRows.put(handle, intended, store.server());
                return intended;
            });
        }
    }

    /// Whether what is noted of a call is enough for its record.
    private boolean isWhole(Optional<Intents.Noted> noted) {
        return intents.isEmpty() || noted.filter(Intents.Noted::isWhole).isPresent();
    }

    @Override
    public void record(RecordedCall call) {
        next.record(call);
        call.origin().filter(origin -> !origin.isOwn()).ifPresent(origin -> write(call, origin));
    }

    private void write(RecordedCall call, ToolOrigin origin) {
        var told =
                new Told(
                        call.notes().id(),
                        call.notes().nestedIn(),
                        call.caller().id(),
                        call.tool(),
                        call.arguments(),
                        call.at(),
                        call.door(),
                        call.notes().judgement());
        var begun = Optional.ofNullable(underWay.remove(told.id()));
        var row = ended(begun.map(UnderWay::call).orElseGet(() -> intended(told, origin)), call);
        var written =
                store.soon(handle -> {
                    UpstreamCallRows.put(handle, row, store.server());
                    return row;
                });
        begun.flatMap(UnderWay::noted)
                .ifPresent(noted ->
                        written.then(durable -> {
                            if (durable) {
                                noted.settled();
                            }
                        }));
        last = Optional.of(written);
        if (call.changing()) {
            written.await();
        }
    }

    private UpstreamCall ended(UpstreamCall intended, RecordedCall call) {
        var value = call.result().map(UpstreamCalls::value);
        var answered = call.ending() instanceof Ending.Answered;
        return intended.ended(
                state(call),
                Optional.of(!(call.ending() instanceof Ending.Answered(var failed)) || failed),
                answered ? Optional.empty() : Optional.of(call.ending().word()),
                limits.results() ? value.flatMap(UpstreamCalls::ifShort) : Optional.empty(),
                value.stream().mapToLong(tree -> Json.bytes(tree).length).findFirst(),
                OptionalLong.of(TimeUnit.NANOSECONDS.toMicros(call.duration().toNanos())));
    }

    /// As programs get it; of a failure, its text.
    private static JsonNode value(ToolResult result) {
        var normal = NormalResult.of(result);
        return normal.failure().<JsonNode>map(Json::tree).orElse(normal.data());
    }

    /// Who was not answered and had sent something that only reads has changed nothing either way.
    private static State state(RecordedCall call) {
        if (call.ending() instanceof Ending.Answered) {
            return State.DONE;
        }
        if (call.ending().equals(new Ending.Refused(Reason.OUTCOME_UNKNOWN))) {
            return State.UNKNOWN;
        }
        if (!call.notes().begun()) {
            return State.REFUSED;
        }
        if (!call.notes().sent()) {
            return State.NOT_SENT;
        }
        return call.ending() instanceof Ending.Refused ? State.DONE : State.UNKNOWN;
    }

    private UpstreamCall intended(Told told, ToolOrigin origin) {
        var arguments = Json.bytes(told.arguments());
        return new UpstreamCall(
                told.id(),
                told.place().map(NestedIn::executionId),
                told.place().map(NestedIn::number).orElse(0L),
                told.place().flatMap(NestedIn::at).flatMap(at -> clean(told, at)),
                told.caller(),
                origin.server(),
                origin.function(),
                origin.definitionHash(),
                digest.of(told.caller(), arguments),
                limits.arguments() && arguments.length <= KEPT_BYTES_MAX
                        ? ifShort(cleaning.of(told.name(), told.caller(), told.arguments()))
                        : Optional.empty(),
                State.INTENDED,
                origin.effect().word(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                arguments.length,
                OptionalLong.empty(),
                told.began(),
                OptionalLong.empty(),
                Optional.of(
                        new UpstreamCall.Asked(
                                origin.tool(), told.door(), origin.trusted(), told.judgement())),
                Optional.empty());
    }

    /// The name of a file is the program's text, as its arguments are.
    private Optional<CodePlace> clean(Told told, CodePlace at) {
        var named = Json.object().put("file", at.file());
        var clean = cleaning.of(told.name(), told.caller(), named);
        return CodePlace.said(clean.path("file").stringValue(""), at.line());
    }

    private static Optional<JsonNode> ifShort(JsonNode tree) {
        return Optional.of(tree).filter(each -> Json.bytes(each).length <= KEPT_BYTES_MAX);
    }

    /// Calls of an execution, in the order in which its program made them.
    ///
    /// @param after the number of the last one of the page before; 0 for the first page
    public List<UpstreamCall> ofExecution(String executionId, long after, int limit) {
        last.ifPresent(Durable::await);
        return store.read(handle ->
                UpstreamCallRows.after(handle, executionId, after, limit, PAGE_BYTES_MAX));
    }

    /// Calls that began since, the newest first.
    ///
    /// @param before those that began before this one alone
    public List<UpstreamCall> since(Instant since, Optional<UpstreamCall> before, int limit) {
        last.ifPresent(Durable::await);
        return store.read(handle -> UpstreamCallRows.since(handle, since, before, limit));
    }

    /// Settles calls that were under way in servers that are gone: what was not sent did nothing,
    /// and of all others nobody knows what they did.
    ///
    /// @return how many
    public int settleAbandoned() {
        return intents.map(all -> all.settleLeft(store)).orElse(0)
                + store.write(UpstreamCallRows::settleAbandoned);
    }

    /// Removes what is not kept any more: calls go with their executions, direct ones after this
    /// age.
    ///
    /// @return how many calls have less now
    public int sweep(Optional<Duration> age) {
        var now = clock.instant();
        var settled = now.minus(SETTLED);
        int swept =
                store.write(handle ->
                        UpstreamCallRows.settle(handle, settled)
                                + UpstreamCallRows.deleteLeft(handle, settled));
        if (age.isPresent()) {
            swept +=
                    store.write(
                            handle -> UpstreamCallRows.deleteDirect(handle, now.minus(age.get())));
        }
        long excess = store.read(UpstreamCallRows::keptBytes) - limits.bytes();
        while (excess > 0) {
            long above = excess;
            long freed = store.write(handle -> UpstreamCallRows.emptyOldest(handle, above));
            if (freed == 0) {
                break;
            }
            excess -= freed;
            swept++;
        }
        return swept;
    }

    /// What could not be written is left for the next start. To be called before the store is
    /// closed.
    @Override
    public void close() {
        try {
            last.ifPresent(Durable::await);
        } catch (RuntimeException failed) {
            LOG.warn("calls could not be written; the next start will settle them", failed);
        }
        intents.ifPresent(Intents::close);
    }

    /// What is known of a call from its beginning.
    private record Told(
            String id,
            Optional<NestedIn> place,
            String caller,
            String name,
            ObjectNode arguments,
            Instant began,
            Door door,
            Optional<Judgement> judgement) {}
}
