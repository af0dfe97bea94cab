package dev.caisson.mcp.server;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Refusal;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.RpcError;
import dev.caisson.rpc.RpcResponse;
import dev.caisson.telemetry.Faults;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Dispatcher of requests: reads one and turns it into its response, whatever happens on the way.
public final class Dispatcher {
    private final Methods methods;
    private final Faults faults;
    private final Broker broker;
    private final RequestLog log;
    private final ModernCodec modern;

    public Dispatcher(
            Methods methods, Faults faults, Broker broker, RequestLog log, ModernCodec modern) {
        this.broker = broker;
        this.log = log;
        this.modern = modern;
        this.methods = methods;
        this.faults = faults;
    }

    public RequestLog log() {
        return log;
    }

    /// The words of the newest revision.
    public ModernCodec modern() {
        return modern;
    }

    /// Reads a request, and looks up the tool it names for this caller.
    ///
    /// @throws Refusal MALFORMED, naming the member
    public McpRequest read(Method method, ObjectNode params, Caller caller) {
        return McpRequest.read(method, params, name -> broker.find(caller, name));
    }

    /// Works on the calling thread until the response is there.
    ///
    /// @param work what cancelling the request interrupts
    /// @return empty when it was cancelled: then nothing more is said about it
    public Optional<RpcResponse> answer(
            RequestId id, McpRequest request, RequestContext context, Cancellation work) {
        work.enter();
        try {
            return Optional.of(
                    RpcResponse.result(id, methods.result(request, context.stoppedBy(work))));
        } catch (InterruptedException e) {
            return unlessCancelled(work, id, stopped(), context);
        } catch (Throwable e) {
            return unlessCancelled(work, id, e, context);
        } finally {
            work.leave();
        }
    }

    private Optional<RpcResponse> unlessCancelled(
            Cancellation work, RequestId id, Throwable thrown, RequestContext context) {
        return work.cancelled()
                ? Optional.empty()
                : Optional.of(failure(id, thrown, context.codec(), context.caller()));
    }

    /// Interrupted by nobody who asked for it.
    private static Refusal stopped() {
        return Refusal.stopping("The server stopped before this was done");
    }

    /// What anything thrown becomes for a client.
    public RpcResponse failure(RequestId id, Throwable thrown, Codec codec, Caller caller) {
        var error =
                switch (thrown) {
                    case Refusal refusal -> codec.error(broker.shown(caller, refusal));
                    case ProtocolError wrong -> shown(wrong, caller).error();
                    default ->
                            FullDisk.refusal(thrown)
                                    .map(codec::error)
                                    .orElseGet(() -> codec.fault(faults.report(thrown)));
                };
        return RpcResponse.error(Optional.of(id), error);
    }

    /// An error often repeats what is wrong, which may be a secret of the caller.
    public ProtocolError shown(ProtocolError wrong, Caller caller) {
        var error = wrong.error();
        var message = broker.shown(caller, error.message());
        return new ProtocolError(
                new RpcError(error.code(), message, error.data(), error.status()), wrong.id());
    }
}
