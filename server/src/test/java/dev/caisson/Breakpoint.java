package dev.caisson;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A place in the code of another Java machine at which that machine stands still, all of its
/// threads at once, when it is reached for the so-many-th time.
final class Breakpoint implements AutoCloseable {
    private static final String TRANSPORT = "dt_socket";

    private final ListeningConnector connector;
    private final Map<String, Connector.Argument> arguments;
    private final String address;
    private final CompletableFuture<VirtualMachine> machine = new CompletableFuture<>();

    /// A method, at its begin or where it returns.
    ///
    /// @param type the binary name of its class
    record Place(String type, String method, boolean atEnd) {
        static Place begin(String type, String method) {
            return new Place(type, method, false);
        }

        static Place end(String type, String method) {
            return new Place(type, method, true);
        }
    }

    Breakpoint() throws IOException, IllegalConnectorArgumentsException {
        connector =
                Bootstrap.virtualMachineManager().listeningConnectors().stream()
                        .filter(each -> each.transport().name().equals(TRANSPORT))
                        .findFirst()
                        .orElseThrow();
        arguments = connector.defaultArguments();
        Objects.requireNonNull(arguments.get("localAddress")).setValue("127.0.0.1");
        address = connector.startListening(arguments);
        // The other machine waits for this before it does anything.
        Thread.ofPlatform().daemon().start(this::accept);
    }

    private void accept() {
        try {
            machine.complete(connector.accept(arguments));
        } catch (IOException | IllegalConnectorArgumentsException closed) {
            machine.completeExceptionally(closed);
        }
    }

    /// What the other machine is started with.
    List<String> options() {
        var port = address.substring(address.lastIndexOf(':') + 1);
        return List.of(
                "-agentlib:jdwp=transport=%s,server=n,suspend=n,address=127.0.0.1:%s"
                        .formatted(TRANSPORT, port));
    }

    /// The other machine, which was started.
    VirtualMachine machine() {
        return machine.join();
    }

    /// @return done when the place was reached and everything stands still
    static CompletableFuture<Place> reached(VirtualMachine machine, Place place, int times) {
        var requests = machine.eventRequestManager();
        var loading = requests.createClassPrepareRequest();
        loading.addClassFilter(place.type());
        loading.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        loading.enable();
        machine.classesByName(place.type()).forEach(type -> set(machine, type, place, times));
        var reached = new CompletableFuture<Place>();
        Thread.ofPlatform().daemon().start(() -> watch(machine, place, times, reached));
        return reached;
    }

    private static void set(
            VirtualMachine machine, com.sun.jdi.ReferenceType type, Place place, int times) {
        try {
            for (var method : type.methodsByName(place.method())) {
                var lines = method.allLineLocations();
                var stop =
                        machine.eventRequestManager()
                                .createBreakpointRequest(
                                        place.atEnd() ? lines.getLast() : lines.getFirst());
                stop.addCountFilter(times);
                stop.setSuspendPolicy(EventRequest.SUSPEND_ALL);
                stop.enable();
            }
        } catch (com.sun.jdi.AbsentInformationException withoutLines) {
            throw new IllegalStateException(place.toString(), withoutLines);
        }
    }

    private static void watch(
            VirtualMachine machine, Place place, int times, CompletableFuture<Place> reached) {
        try {
            while (true) {
                for (var event : machine.eventQueue().remove()) {
                    switch (event) {
                        case BreakpointEvent _ -> {
                            // It stands still, and nobody resumes it.
                            reached.complete(place);
                            return;
                        }
                        case ClassPrepareEvent prepared -> {
                            set(machine, prepared.referenceType(), place, times);
                            machine.resume();
                        }
                        case VMDisconnectEvent _ -> {
                            return;
                        }
                        default -> {}
                    }
                }
            }
        } catch (InterruptedException | RuntimeException over) {
            reached.completeExceptionally(over);
        }
    }

    /// @throws Exception when it is not reached in time
    static void await(CompletableFuture<Place> reached, Duration patience) throws Exception {
        reached.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        try {
            connector.stopListening(arguments);
        } catch (IOException | IllegalConnectorArgumentsException over) {
            // It listens no more.
        }
    }
}
