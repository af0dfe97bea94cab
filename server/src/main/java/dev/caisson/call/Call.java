package dev.caisson.call;

import java.util.Set;

/// Call of a tool, or of anything else the broker does: who asks, through which door, and what can
/// be said to the client while it is under way. The same for every door and every revision of a
/// protocol.
///
/// Cancellation is an interrupt of the thread the work runs on.
///
/// @param trace where it stands in its trace
/// @param door where it came in
/// @param replyMode how the caller wants to have the result
/// @param features what the client can do for this call
/// @param notes for what only the work knows and the record of the call should say
/// @param messages to the client beside the result
/// @param conversation with the client and its door
public record Call(
        Caller caller,
        Door door,
        TraceContext trace,
        ReplyMode replyMode,
        Set<ClientFeature> features,
        CallNotes notes,
        ClientMessages messages,
        Conversation conversation) {
    public Call {
        features = Set.copyOf(features);
    }

    /// A call by a client that waits for the result and can do nothing else.
    public static Call of(Caller caller, Door door, TraceContext trace) {
        return of(caller, door, trace, ReplyMode.INLINE, Conversation.NONE);
    }

    /// A call by a client that cannot be told or asked anything, through a door that can.
    public static Call of(
            Caller caller,
            Door door,
            TraceContext trace,
            ReplyMode replyMode,
            Conversation conversation) {
        return new Call(
                caller,
                door,
                trace,
                replyMode,
                Set.of(),
                new CallNotes(),
                ClientMessages.NONE,
                conversation);
    }

    /// The same call, of which nothing is noted yet.
    public Call withFreshNotes() {
        return new Call(
                caller, door, trace, replyMode, features, notes.fresh(), messages, conversation);
    }

    /// The same call, with another way for its messages.
    public Call withMessages(ClientMessages others) {
        return new Call(caller, door, trace, replyMode, features, notes, others, conversation);
    }

    /// Whether somebody hears of the execution it becomes before that is over.
    public boolean isFollowed() {
        return conversation.isFollowed();
    }

    /// The call has become an execution, whose record is durable if the call is followed.
    ///
    /// @param id by which it can be found from now on
    public void began(String id) {
        notes.became(id);
        conversation.began(id);
    }
}
