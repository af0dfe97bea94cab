package dev.caisson.door;

import dev.caisson.broker.Broker;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.TestBroker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.runs.ToolAccess;
import dev.caisson.sandbox.Uninterrupted;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// A door of one run over a socket of this machine, with tools of another server behind it.
final class DoorBench implements AutoCloseable {
    static final String EXECUTION = "exe_test";

    /// Of the definitions that are approved.
    static final String HASH = "3f2a91c0".repeat(8);

    final List<RecordedCall> recorded = new CopyOnWriteArrayList<>();
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicInteger waiting = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger told = new AtomicInteger();
    final ToolAccess.Opened door;
    private final Broker broker;
    private final Doors doors;
    private final Path directory;
    private final ServerSocketChannel listener;

    DoorBench() throws IOException {
        this(DoorSettings.DEFAULT, Optional.of(List.of("*")));
    }

    DoorBench(DoorSettings settings, Optional<List<String>> patterns) throws IOException {
        var tools = new ArrayList<Tool>();
        tools.add(tool("echo", true, (_, arguments) -> ToolResult.structured(arguments)));
        tools.add(tool("fail", true, (_, _) -> ToolResult.failure("no such row")));
        tools.add(tool("wait", true, (_, _) -> await()));
        tools.add(tool("change", false, (call, _) -> sentAndAwaited(call)));
        tools.add(tool("queued", false, (_, _) -> await()));
        tools.add(
                tool(
                        "stubborn",
                        false,
                        (call, _) -> {
                            call.notes().sends();
                            waiting.incrementAndGet();
                            boolean _ = Uninterrupted.call(this::released);
                            ended.incrementAndGet();
                            return ToolResult.text("released");
                        }));
        tools.add(
                tool(
                        "large",
                        true,
                        (_, arguments) ->
                                ToolResult.text("x".repeat(arguments.get("bytes").intValue()))));
        tools.add(
                tool(
                        "tell",
                        true,
                        (call, arguments) -> {
                            for (int i = 0; i < arguments.get("times").intValue(); i++) {
                                call.messages().progress(i, OptionalDouble.empty(), "so far");
                                told.incrementAndGet();
                            }
                            return ToolResult.text("told");
                        }));
        tools.add(
                tool(
                        "break",
                        true,
                        (_, _) -> {
                            throw new IllegalStateException("our fault");
                        }));
        tools.add(
                fixture(
                        ToolSpec.of("files_list", "List", "Lists.", ToolSpec.noArguments()),
                        (_, _) -> ToolResult.text("own")));
        tools.add(
                fixture(
                        ToolSpec.of("sandbox_execute", "Run", "Runs.", ToolSpec.noArguments()),
                        (_, _) -> ToolResult.text("never")));
        tools.add(
                fixture(
                        ToolSpec.named("hub__secret", "Secret", "Of few.")
                                .within(Scope.ADMIN)
                                .hinted(ToolSpec.Hints.READS)
                                .from(origin("secret"))
                                .build(),
                        (_, _) -> ToolResult.text("told")));
        broker = TestBroker.of(tools, recorded::add, Clock.systemUTC());
        directory = Files.createTempDirectory("caisson-door-");
        doors = new Doors(() -> broker, () -> true, settings, directory.resolve("wrappers"));
        door = doors.of(FakeCall.by(caller()), patterns).open(EXECUTION);
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /// The door of another caller.
    ToolAccess.Opened open(Caller other) {
        return doors.of(FakeCall.by(other), Optional.empty()).open("exe_other");
    }

    ToolAccess access(Caller other, Optional<List<String>> patterns) {
        return doors.of(FakeCall.by(other), patterns);
    }

    Changes changes() {
        return broker.changes();
    }

    static Caller caller() {
        return new Caller("key_1", "key", Set.of(), Set.of());
    }

    private boolean released() throws InterruptedException {
        released.await();
        return true;
    }

    private ToolResult sentAndAwaited(Call call) throws InterruptedException {
        call.notes().sends();
        return await();
    }

    private ToolResult await() throws InterruptedException {
        waiting.incrementAndGet();
        try {
            released.await();
            return ToolResult.text("released");
        } finally {
            ended.incrementAndGet();
        }
    }

    /// What a tool does.
    interface Body {
        ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;
    }

    private static Tool tool(String name, boolean reads, Body body) {
        var anything = Json.object().put("type", "object");
        var spec =
                ToolSpec.named("hub__" + name, name, "Does it.")
                        .taking(anything)
                        .from(origin(name));
        return fixture((reads ? spec.hinted(ToolSpec.Hints.READS) : spec).build(), body);
    }

    private static ToolOrigin origin(String name) {
        return new ToolOrigin("hub", name, name, name, HASH, ToolEffect.READ, true);
    }

    private static Tool fixture(ToolSpec spec, Body body) {
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
                return body.call(call, arguments);
            }
        };
    }

    /// What a program has.
    FrameClient connect() throws IOException {
        var near = SocketChannel.open(listener.getLocalAddress());
        var far = listener.accept();
        Thread.ofVirtual()
                .start(() -> {
                    try (far) {
                        door.door().serve(far);
                    } catch (IOException | InterruptedException ended) {
                        // As a listener does: the connection is closed.
                    }
                });
        return new FrameClient(near, Duration.ofSeconds(30));
    }

    @Override
    public void close() throws IOException {
        released.countDown();
        door.close();
        doors.close(Duration.ofSeconds(1));
        listener.close();
        ViewFiles.remove(directory);
    }
}
