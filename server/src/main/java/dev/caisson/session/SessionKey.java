package dev.caisson.session;

import dev.caisson.call.Caller;
import dev.caisson.sandbox.Language;

/// Key of a session, by which it is found: nobody but its caller can name it, and each language of
/// a thread has its own.
public record SessionKey(String callerId, String threadId, Language language) {
    public static SessionKey of(Caller caller, String threadId, Language language) {
        return new SessionKey(caller.id(), threadId, language);
    }

    boolean isOf(Caller caller, String thread) {
        return callerId.equals(caller.id()) && threadId.equals(thread);
    }
}
