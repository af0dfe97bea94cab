package dev.caisson.actions;

import dev.caisson.call.Caller;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.Keys;
import dev.caisson.storage.Links;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Callers by the mark that their links bear. A link names no caller; the ledger does.
final class LinkMakers {
    private final Keys keys;
    private final Map<String, Caller> byMark = new ConcurrentHashMap<>();

    LinkMakers(Keys keys) {
        this.keys = keys;
    }

    /// The caller who made a link; one of its own kind when that cannot be said any more.
    Caller of(Links.Verified link) {
        var known = byMark.get(link.maker());
        if (known != null) {
            return known;
        }
        lookAgain();
        return byMark.computeIfAbsent(link.maker(), LinkMakers::unknown);
    }

    private void lookAgain() {
        Stream.concat(
                        Stream.of(Caller.LOCAL, KeyGate.TOKEN_HOLDER),
                        keys.list().stream().map(KeyInfo::caller))
                .forEach(caller -> byMark.put(Links.mark(caller), caller));
    }

    /// Such as a link from before links bore a mark.
    private static Caller unknown(String mark) {
        return new Caller("link:" + mark, "link", Set.of(), Set.of());
    }
}
