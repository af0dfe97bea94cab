package dev.caisson.mcp;

/// Notifications of legacy clients, and of any client over stdio. One that means nothing to us is
/// accepted and ignored.
final class LegacyNotes {
    private LegacyNotes() {}

    static void take(Incoming.Notification note, Peer peer) {
        if (note.method().equals("notifications/cancelled")) {
            Params.of(note.params())
                    .optionalToken("requestId")
                    .flatMap(Id::of)
                    .ifPresent(peer::cancel);
        }
    }
}
