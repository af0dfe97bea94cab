package dev.caisson.door;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.call.Change;
import dev.caisson.call.Conversation;
import dev.caisson.call.Door;
import dev.caisson.call.NestedIn;
import dev.caisson.call.PersonWait;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.SpanId;
import dev.caisson.call.ToolErrorType;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.runs.ToolAccess;
import dev.caisson.runs.ToolFigures;
import dev.caisson.sandbox.HostDoor;
import dev.caisson.sandbox.RunControl;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Door of one run: every call of its program is one of the run's caller, narrowed to what the run
/// was granted, and passes the broker as any other. A program cannot say in which run it is: that
/// is known by where it connects.
final class RunDoor implements HostDoor, ToolAccess.Opened {
    private static final Logger LOG = LoggerFactory.getLogger(RunDoor.class);

    /// How long calls that were cancelled are waited for when the run is over. A tool that does not
    /// heed it is left: its record is written when it ends, and until then nobody knows.
    private static final Duration SETTLE_MAX = Duration.ofSeconds(2);

    /// Warning of a call by files that are older than the definition of its tool.
    static final String DEFINITION_CHANGED = "definition_changed";

    /// Tools that every program with a door may use, to find others.
    private static final Set<String> FINDING = Set.of("tool_search", "tool_describe");

    private final Broker broker;
    private final Doors.Rules rules;
    private final Call outer;
    private final Grants grants;
    private final String executionId;
    private final SpanId span = SpanId.fresh();
    private final Semaphore inFlight;
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong unread = new AtomicLong();
    private final CallTally tally = new CallTally();
    private final Set<ServedCall> open = ConcurrentHashMap.newKeySet();
    private final Set<DoorConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean changed;
    private volatile boolean closed;
    private final AutoCloseable listening;
    private final RunControl control = new RunControl();
    private final RunParking parking;
    private volatile Optional<String> view = Optional.empty();

    /// @param outer the call that became the run
    RunDoor(Broker broker, Doors.Rules rules, Call outer, Grants grants, String executionId) {
        this.broker = broker;
        this.rules = rules;
        this.outer = outer;
        this.grants = grants;
        this.executionId = executionId;
        this.inFlight = new Semaphore(rules.settings().inFlightMax());
        this.parking = new RunParking(control, rules.deadlines(), rules.settings().grace());
        this.listening = broker.changes().listen(outer.caller(), this::heard);
    }

    /// The program is told that its caller may call other tools now than when it began.
    private void heard(Change change) {
        if (change instanceof Change.Tools) {
            changed = true;
            Thread.ofVirtual()
                    .name("tools-changed")
                    .start(() -> connections.forEach(DoorConnection::tellChanged));
        }
    }

    @Override
    public HostDoor door() {
        return this;
    }

    @Override
    public RunControl control() {
        return control;
    }

    @Override
    public List<String> awaited() {
        return parking.awaited();
    }

    @Override
    public Optional<SpanId> span() {
        return Optional.of(span);
    }

    /// Made when a sandbox asks for it: the later runs of a session have the files of its first.
    /// What was granted to the run narrows its calls, not what it can import.
    @Override
    public Optional<HostDoor.Wrappers> wrappers() {
        var tools = broker.callable(outer.caller()).stream().filter(this::isImportable).toList();
        var lease = rules.views().of(tools);
        view = lease.map(Views.Lease::hash);
        return lease.map(each -> each);
    }

    private boolean isImportable(ToolSpec spec) {
        return !spec.effectiveOrigin().isOwn() || rules.own().contains(spec.name());
    }

    /// Names the files that this run was given.
    Optional<String> view() {
        return view;
    }

    /// Whether its caller may call other tools now than when it began.
    boolean hasChanged() {
        return changed;
    }

    String executionId() {
        return executionId;
    }

    @Override
    public void serve(SocketChannel connection) throws IOException, InterruptedException {
        var served = new DoorConnection(this, new FrameChannel(connection, unread));
        connections.add(served);
        try {
            served.serve();
        } finally {
            connections.remove(served);
        }
    }

    /// Waits until the program has fewer calls under way than it may have.
    void enter(ServedCall call) throws InterruptedException {
        inFlight.acquire();
        open.add(call);
        parking.entered();
        if (closed) {
            call.end(ServedCall.Why.RUN_OVER);
        }
    }

    void leave(ServedCall call) {
        call.over();
        open.remove(call);
        inFlight.release();
        parking.left();
    }

    /// Answers a call on this thread.
    ///
    /// @param messages to the program beside the answer
    CallAnswer answer(ServedCall served, CallProgress messages) {
        var answer = answer(served, numbers.incrementAndGet(), messages);
        count(served, answer);
        return answer;
    }

    private void count(ServedCall served, CallAnswer answer) {
        if (served.counts()) {
            tally.add(
                    Json.bytes(served.request().arguments()).length,
                    answer,
                    served.notes().approval());
            tally.drifted(served.notes().drift());
        }
    }

    private CallAnswer answer(ServedCall served, long number, CallProgress messages) {
        var request = served.request();
        if (number > rules.settings().callsMax()) {
            return CallAnswer.of(request.id(), tooMany());
        }
        var tool = find(request);
        var call = nested(served, number, messages);
        served.notedIn(call.notes());
        try (var deadline = rules.deadlines().end(served, request.timeout())) {
            served.endedBy(deadline);
            var result = served.run(() -> broker.call(call, tool, request.arguments()));
            return CallAnswer.of(request, number, result, warnings(request, tool));
        } catch (Refusal refusal) {
            return CallAnswer.of(request.id(), CallError.of(refusal));
        } catch (InterruptedException ended) {
            var error = served.refusal().map(CallError::of).orElseGet(() -> ended(served, tool));
            return CallAnswer.of(request.id(), error);
        } catch (RuntimeException fault) {
            LOG.error("a call of the program of {} failed", executionId, fault);
            return CallAnswer.of(
                    request.id(),
                    new CallError(
                            ToolErrorType.TOOL_FAILED,
                            "The server failed in this call; its log says why."));
        }
    }

    /// Arguments are always checked against the definition that is approved now; a program whose
    /// files have another one hears of it.
    private static List<String> warnings(DoorRequest request, ToolLookup tool) {
        var approved = tool.spec().map(spec -> spec.effectiveOrigin().definitionHash()).orElse("");
        boolean changed =
                !approved.isEmpty()
                        && request.definition()
                                .filter(hash -> !approved.startsWith(hash))
                                .isPresent();
        return changed ? List.of(DEFINITION_CHANGED) : List.of();
    }

    private CallError tooMany() {
        return new CallError(
                ToolErrorType.BUDGET,
                "A program may make %,d calls of tools and this one has made them."
                        .formatted(rules.settings().callsMax()));
    }

    /// By the name the server has for it or, for whoever has no wrapper, by that of the function.
    /// What the run may not call is looked up by a name that no tool can have: nobody finds that,
    /// and it is recorded.
    private ToolLookup find(DoorRequest request) {
        var caller = outer.caller();
        var found = broker.findOrigin(caller, request.server(), request.tool());
        if (found.spec().isEmpty()) {
            found = named(request).orElse(found);
        }
        return found.spec().filter(this::may).isPresent()
                ? found
                : broker.find(caller, request.server() + "/" + request.tool());
    }

    private Optional<ToolLookup> named(DoorRequest request) {
        var qualified = request.server() + "." + request.tool();
        return broker.callable(outer.caller()).stream()
                .filter(spec -> spec.qualifiedName().equals(qualified))
                .findFirst()
                .map(spec -> broker.find(outer.caller(), spec.name()));
    }

    private boolean may(ToolSpec spec) {
        if (spec.effectiveOrigin().isOwn() && FINDING.contains(spec.name())) {
            return true;
        }
        return isImportable(spec) && grants.include(spec.qualifiedName());
    }

    private Call nested(ServedCall served, long number, CallProgress messages) {
        var request = served.request();
        return new Call(
                outer.caller(),
                Door.SANDBOX,
                new TraceContext(outer.trace().id(), Optional.of(span), outer.trace().sampled()),
                ReplyMode.INLINE,
                Set.of(),
                CallNotes.nestedIn(new NestedIn(executionId, number, request.at())),
                messages,
                new Conversation() {
                    @Override
                    public PersonWait waitsForPerson(String approval) throws InterruptedException {
                        messages.waiting(approval);
                        parking.waits(served, approval);
                        return () -> parking.goesOn(served);
                    }
                });
    }

    /// Whoever was interrupted in a call that may change something does not know whether it did,
    /// unless nothing was sent.
    private static CallError ended(ServedCall served, ToolLookup tool) {
        var request = served.request();
        var why = served.why().orElse(ServedCall.Why.CANCELLED);
        if (tool.spec().filter(spec -> mayHaveChanged(spec, served.notes())).isPresent()) {
            return new CallError(
                    ToolErrorType.OUTCOME_UNKNOWN,
                    "%s.%s was ended while it was under way: nobody knows whether it changed something."
                            .formatted(request.server(), request.tool()));
        }
        return switch (why) {
            case TIMED_OUT ->
                    new CallError(
                            ToolErrorType.TIMEOUT,
                            "%s.%s took longer than this call allows."
                                    .formatted(request.server(), request.tool()));
            case CANCELLED -> new CallError(ToolErrorType.CANCELLED, "The call was cancelled.");
            case RUN_OVER -> new CallError(ToolErrorType.DOOR_CLOSED, "The run is over.");
        };
    }

    private static boolean mayHaveChanged(ToolSpec spec, CallNotes notes) {
        return !spec.hints().readOnly()
                && notes.begun()
                && (spec.effectiveOrigin().isOwn() || notes.sent());
    }

    @Override
    public ToolFigures figures() {
        return tally.figures().parked(control.stood());
    }

    @Override
    public void settle() {
        closed = true;
        stopListening();
        open.forEach(call -> call.end(ServedCall.Why.RUN_OVER));
        long end = System.nanoTime() + SETTLE_MAX.toNanos();
        for (var call : open) {
            if (!call.awaitOver(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                LOG.warn("a call of the program of {} does not end", executionId);
                var error = ended(call, find(call.request()));
                count(call, CallAnswer.of(call.request().id(), error));
            }
        }
    }

    private void stopListening() {
        try {
            listening.close();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
