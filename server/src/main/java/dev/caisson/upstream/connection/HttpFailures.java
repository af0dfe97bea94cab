package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.EgressFailure;
import dev.caisson.rpc.EventReader;
import dev.caisson.rpc.RpcError;
import java.io.IOException;
import java.io.InterruptedIOException;

/// Failures of requests over HTTP, in words for whoever asked.
final class HttpFailures {
    private final Openness openness;

    /// @param openness of the connection; one over which came what is no answer is closed
    HttpFailures(Openness openness) {
        this.openness = openness;
    }

    UpstreamFailure garbled(Ask ask, String what) {
        openness.garble();
        return ask.unanswered(ToolErrorType.TOOL_FAILED, true, what);
    }

    UpstreamFailure of(IOException failed, Ask ask) throws InterruptedException {
        return switch (failed) {
            case EgressFailure known -> known(known, ask);
            case InterruptedIOException _ -> throw new InterruptedException();
            case ReadBudget.Exhausted _ ->
                    ask.refused(
                            ToolErrorType.NO_CAPACITY,
                            "answered while the server has no memory for more answers");
            case EventReader.EventTooLong _ -> tooLong(ask);
            default -> garbled(ask, "sent what cannot be read");
        };
    }

    private static UpstreamFailure known(EgressFailure known, Ask ask) {
        return switch (known.kind()) {
            case TIMED_OUT -> ask.timedOut(known.sent());
            case TOO_LARGE -> tooLong(ask);
            case REFUSED ->
                    ask.unanswered(
                            ToolErrorType.UPSTREAM_UNAVAILABLE,
                            known.sent(),
                            "cannot be reached: %s; for a private address upstreams.private_hosts must name it"
                                    .formatted(known.sentence()));
            case UNREACHABLE ->
                    ask.unanswered(
                            ToolErrorType.UPSTREAM_UNAVAILABLE,
                            known.sent(),
                            "cannot be reached: " + known.sentence());
            case BROKEN ->
                    ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, known.sent(), "broke off");
        };
    }

    private static UpstreamFailure tooLong(Ask ask) {
        return ask.refused(
                ToolErrorType.TOO_LARGE,
                "sent an answer that is longer than %d bytes".formatted(ask.bytesMax()));
    }

    /// A status that is none of success is an answer: nothing was done.
    static UpstreamFailure refusal(PostReply.Refused refused, Ask ask) {
        var status = refused.status();
        if (refused.sessionOver()) {
            return ask.unanswered(
                    ToolErrorType.UPSTREAM_UNAVAILABLE, false, "knows its session no more");
        }
        if (status == 401) {
            return ask.refused(
                    ToolErrorType.AUTHORIZATION_REQUIRED,
                    "does not take the credentials it was given");
        }
        if (status / 100 == 3) {
            return ask.refused(
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    "sent a redirect (%d), which is not followed".formatted(status));
        }
        if (refused.code() == RpcError.METHOD_NOT_FOUND
                || refused.code() == RpcError.INVALID_PARAMS) {
            return ask.refused(ToolErrorType.TOOL_FAILED, "does not take the call as it is");
        }
        var what = "answered with status %d".formatted(status);
        return status / 100 == 4
                ? ask.refused(ToolErrorType.UPSTREAM_UNAVAILABLE, what)
                : ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, true, what);
    }
}
