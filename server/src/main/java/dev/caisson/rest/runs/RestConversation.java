package dev.caisson.rest.runs;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Conversation;
import dev.caisson.call.Door;
import dev.caisson.call.ReplyMode;
import dev.caisson.http.Exchange;
import dev.caisson.rest.route.RouteRequest;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Conversation of a call over REST: its client cannot be asked anything; the log line of its
/// request says which execution it became and how it ended.
///
/// @param line takes words for the log line of the request
/// @param isFollowed whether somebody hears of it before it is over
/// @param begun is told which execution it has become
public record RestConversation(
        BiConsumer<String, String> line, boolean isFollowed, Consumer<String> begun)
        implements Conversation {
    /// A call whose caller waits for the result.
    public static Call inline(RouteRequest ask) {
        return call(ask, ReplyMode.INLINE, false, _ -> {});
    }

    /// A call by the holder of a link that this caller made.
    public static Call byLink(Caller maker, Exchange exchange) {
        return call(maker, exchange, ReplyMode.INLINE, false, _ -> {});
    }

    /// A call that its caller may not make.
    public static Call refused(Caller caller, Exchange exchange) {
        return call(caller, exchange, ReplyMode.INLINE, false, _ -> {});
    }

    /// @param followed whether somebody hears of it before it is over
    /// @param begun is told which execution it has become
    static Call call(
            RouteRequest ask, ReplyMode replyMode, boolean followed, Consumer<String> begun) {
        return call(ask.caller(), ask.exchange(), replyMode, followed, begun);
    }

    private static Call call(
            Caller caller,
            Exchange exchange,
            ReplyMode replyMode,
            boolean followed,
            Consumer<String> begun) {
        return Call.of(
                caller,
                Door.REST,
                exchange.traceContext(),
                replyMode,
                new RestConversation(exchange::note, followed, begun));
    }

    @Override
    public void began(String id) {
        line.accept("execution_id", id);
        begun.accept(id);
    }

    @Override
    public void ended(String tool, String status) {
        line.accept("tool", tool);
        line.accept("tool_status", status);
    }
}
