package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.call.ClientFeature;
import dev.caisson.mcp.server.Sealer;
import dev.caisson.rpc.Revision;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Session ids that say all a session must know, so that a restart is not noticed: the revision,
/// what the client can do, when it began, and 16 random bytes, sealed for one caller.
///
/// The payload is text: `<revision> <seconds> <random> <feature>,<feature>`.
public final class SessionToken {
    private static final int RANDOM_BYTES = 16;
    private static final int PARTS = 4;

    public record Content(Revision revision, Set<ClientFeature> features) {}

    private final Sealer sealer;
    private final Duration life;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public SessionToken(byte[] secret, Duration life, Clock clock) {
        this.sealer = new Sealer(secret, "session");
        this.life = life;
        this.clock = clock;
    }

    public String mint(Caller caller, Content content) {
        var bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        var payload =
                String.join(
                        " ",
                        content.revision().word(),
                        Long.toString(clock.instant().getEpochSecond()),
                        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
                        content.features().stream()
                                .map(Enum::name)
                                .collect(Collectors.joining(",")));
        return sealer.seal(payload.getBytes(StandardCharsets.US_ASCII), caller.id());
    }

    /// What an id says, if it is one of ours for this caller and not too old.
    public Optional<Content> read(Caller caller, String id) {
        return sealer.open(id, caller.id())
                .map(payload -> new String(payload, StandardCharsets.US_ASCII).split(" ", PARTS))
                .filter(parts -> parts.length == PARTS && !expired(parts[1]))
                .flatMap(parts -> content(parts[0], parts[3]));
    }

    private boolean expired(String seconds) {
        var begun = Instant.ofEpochSecond(Long.parseLong(seconds));
        return begun.plus(life).isBefore(clock.instant());
    }

    private static Optional<Content> content(String revision, String features) {
        var named = Set.of(features.split(",", -1));
        var found = EnumSet.noneOf(ClientFeature.class);
        Arrays.stream(ClientFeature.values())
                .filter(feature -> named.contains(feature.name()))
                .forEach(found::add);
        return Revision.of(revision).map(known -> new Content(known, found));
    }
}
