package dev.caisson.upstream;

import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Row of an upstream.
///
/// @param given its entry as it was written
/// @param era of the protocol that it spoke last
/// @param takesFirst whether its first list is still to be taken as it is
/// @param revision counts its changes, also those of its tools
/// @param refreshWanted when a new list was asked for last
/// @param restartWanted when a new connection was asked for last
/// @param noted empty before a server has served it
public record StoredUpstream(
        String id,
        Origin origin,
        ObjectNode given,
        Optional<Era> era,
        boolean takesFirst,
        Instant created,
        Instant updated,
        long revision,
        Instant refreshWanted,
        Instant restartWanted,
        Optional<Noted> noted) {
    /// What a server that serves it noted of it last.
    ///
    /// @param trouble what is wrong with it
    /// @param listed when its tools were listed last, also in vain
    public record Noted(LinkState state, Optional<String> trouble, Optional<Instant> listed) {}

    /// Where its entry is written.
    public enum Origin {
        FILE,
        DATABASE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Origin of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    StoredUpstream noting(Noted seen) {
        return new StoredUpstream(
                id,
                origin,
                given,
                era,
                takesFirst,
                created,
                updated,
                revision,
                refreshWanted,
                restartWanted,
                Optional.of(seen));
    }

    UpstreamSettings settings() throws UpstreamMistakes {
        return UpstreamReader.read(id, given);
    }
}
