package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.call.FullDisk;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Faults;
import java.util.Optional;

/// Turns a request into its response, whatever happens on the way.
final class Desk {
    private final Methods methods;
    private final Faults faults;
    private final Broker broker;

    Desk(Methods methods, Faults faults, Broker broker) {
        this.broker = broker;
        this.methods = methods;
        this.faults = faults;
    }

    /// Works on the calling thread until the response is there.
    ///
    /// @param work what cancelling the request interrupts
    /// @return empty when it was cancelled: then nothing more is said about it
    Optional<Answer> answer(Id id, McpRequest request, Context context, Cancellation work) {
        work.enter();
        try {
            return Optional.of(Answer.result(id, methods.result(request, context)));
        } catch (InterruptedException e) {
            return unlessCancelled(work, id, stopped(), context);
        } catch (Throwable e) {
            return unlessCancelled(work, id, e, context);
        } finally {
            work.leave();
        }
    }

    private Optional<Answer> unlessCancelled(
            Cancellation work, Id id, Throwable thrown, Context context) {
        return work.cancelled()
                ? Optional.empty()
                : Optional.of(failure(id, thrown, context.codec(), context.caller()));
    }

    /// Interrupted by nobody who asked for it.
    private static Refusal stopped() {
        return Refusal.stopping("The server stopped before this was done");
    }

    /// What anything thrown becomes for a client.
    Answer failure(Id id, Throwable thrown, Codec codec, Caller caller) {
        var error =
                switch (thrown) {
                    case Refusal refusal -> codec.error(broker.shown(caller, refusal));
                    case ProtocolError wrong -> shown(wrong, caller).error();
                    default ->
                            FullDisk.refusal(thrown)
                                    .map(codec::error)
                                    .orElseGet(() -> codec.fault(faults.report(thrown)));
                };
        return Answer.error(Optional.of(id), error);
    }

    /// An error often repeats what is wrong, which may be a secret of the caller.
    ProtocolError shown(ProtocolError wrong, Caller caller) {
        var error = wrong.error();
        var message = broker.shown(caller, error.message());
        return new ProtocolError(
                new RpcError(error.code(), message, error.data(), error.status()), wrong.id());
    }
}
