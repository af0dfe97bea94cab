package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.storage.link.BaseLink;
import dev.caisson.storage.link.Link;
import dev.caisson.storage.link.LinkPlace;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Links by which one file can be fetched or stored without a key, until they expire. Whoever has
/// the link may use it: it names no caller, and opens nothing but what it was made for. A link has
/// one spelling: whatever else its address could be written as is refused.
public final class Links {
    public static final Duration LIFE_DEFAULT = Duration.ofHours(1);

    private final FileSpaces spaces;
    private final LinkKeys keys;
    private final Duration life;
    private final Clock clock;
    private volatile Optional<String> base = Optional.empty();

    public Links(FileSpaces spaces, LinkKeys keys, Duration life, Clock clock) {
        this.spaces = spaces;
        this.keys = keys;
        this.life = life;
        this.clock = clock;
    }

    /// How long a link works.
    public Duration life() {
        return life;
    }

    /// From now on there are links.
    ///
    /// @param url where clients reach the server
    public void servedAt(String url) {
        base = Optional.of(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }

    /// A link that was made.
    public record Made(String url, Instant expires) {}

    /// A link to fetch a file.
    ///
    /// @return empty while nobody serves links, as on standard input and output
    public Optional<Made> toFetch(Caller caller, FileSpace space, FilePath path) {
        return base.map(url -> make(url, caller, Link.Act.GET, VolumeAccess.READ, space, path));
    }

    /// A link to store a file.
    public Optional<Made> toStore(Caller caller, FileSpace space, FilePath path) {
        return base.map(url -> make(url, caller, Link.Act.PUT, VolumeAccess.WRITE, space, path));
    }

    /// An address below which all files of a directory of a thread can be fetched, by name, for
    /// those who cannot sign: programs.
    ///
    /// @param directory the root for all of the thread
    /// @param used how long what it is made for may take; it expires a link's life after that
    /// @return empty while nobody serves links
    public Optional<String> baseOf(
            Caller caller, String threadId, FilePath directory, Duration used) {
        return base.map(url -> {
            var expires = clock.instant().plus(used).plus(life).getEpochSecond();
            var place = LinkPlace.of(caller, Threads.place(caller, threadId));
            var link = BaseLink.of(place, directory, expires, keys.current());
            var signature = keys.sign(link.keyId(), link.signedText()).orElseThrow();
            return url + BaseLink.PREFIX + link.token(signature);
        });
    }

    /// A link that was found good, and may be opened.
    ///
    /// @param place which of all threads or volumes it leads to
    /// @param maker the mark of the caller who made it, see [#mark]
    public record Verified(Source source, String place, String maker) {
        private Verified(Source source, LinkPlace opened) {
            this(source, opened.place(), opened.maker());
        }
    }

    /// The mark that all links of a caller bear. Nobody learns the caller from it.
    public static String mark(Caller caller) {
        return LinkPlace.of(caller, "").maker();
    }

    /// Opens what a link leads to.
    ///
    /// @param holder asked with who made the link: in whose name the files take disk and computing;
    ///   what it throws is thrown here
    /// @throws Refusal NOT_FOUND when the thread or the volume is gone
    public FileTree open(Verified link, UnaryOperator<String> holder) {
        return spaces.open(link.source(), link.place(), holder.apply(link.maker()));
    }

    /// A file below such an address.
    ///
    /// @param path in the thread
    public record Below(Verified link, FilePath path) {}

    /// Checks an address that was made for a thread.
    ///
    /// @param decoded the path of a request, percent signs decoded once
    /// @throws Refusal FORBIDDEN when the token is not as it was made, or not any more
    public Below checkBelow(String decoded) {
        var slash = decoded.indexOf('/', BaseLink.PREFIX.length());
        if (!decoded.startsWith(BaseLink.PREFIX) || slash < 0) {
            throw refused();
        }
        var token = decoded.substring(BaseLink.PREFIX.length(), slash);
        var link = BaseLink.parse(token).orElseThrow(Links::refused);
        var signature = keys.sign(link.keyId(), link.signedText()).orElseThrow(Links::refused);
        if (!MessageDigest.isEqual(
                        link.token(signature).getBytes(StandardCharsets.UTF_8),
                        token.getBytes(StandardCharsets.UTF_8))
                || clock.instant().getEpochSecond() >= link.expires()) {
            throw refused();
        }
        var path = spaces.readPath(() -> link.path(decoded.substring(slash + 1)));
        return new Below(new Verified(Source.THREAD, LinkPlace.parse(link.place())), path);
    }

    private Made make(
            String url,
            Caller caller,
            Link.Act act,
            VolumeAccess access,
            FileSpace space,
            FilePath path) {
        var expires = clock.instant().plus(life).getEpochSecond();
        var place = LinkPlace.of(caller, spaces.place(caller, space, access));
        var link = new Link(act, space, place.text(), path, expires, keys.current());
        var signature = keys.sign(link.keyId(), link.signedText()).orElseThrow();
        return new Made(url + target(link, signature), Instant.ofEpochSecond(expires));
    }

    /// Path and query of a link.
    private static String target(Link link, byte[] signature) {
        return "%s?exp=%d&kid=%s&at=%s&sig=%s"
                .formatted(
                        new LinkAddress(link.space(), link.path()).text(),
                        link.expires(),
                        link.keyId(),
                        link.place(),
                        HexFormat.of().formatHex(signature));
    }

    /// What came with an address.
    ///
    /// @param target path and query as they came
    public record Presented(
            String target,
            LinkAddress address,
            boolean storing,
            Optional<String> expires,
            Optional<String> keyId,
            Optional<String> place,
            Optional<String> signature) {}

    /// Checks a link.
    ///
    /// @throws Refusal FORBIDDEN when anything about it is not as it was made
    public Verified check(Presented link) {
        var keyId = link.keyId().orElseThrow(Links::refused);
        var place = link.place().orElseThrow(Links::refused);
        var expires = link.expires().flatMap(Links::seconds).orElseThrow(Links::refused);
        var address = link.address();
        var act = link.storing() ? Link.Act.PUT : Link.Act.GET;
        var expected = new Link(act, address.space(), place, address.path(), expires, keyId);
        var signature = keys.sign(keyId, expected.signedText()).orElseThrow(Links::refused);
        var whole = target(expected, signature).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(whole, link.target().getBytes(StandardCharsets.UTF_8))
                || clock.instant().getEpochSecond() >= expires) {
            throw refused();
        }
        return new Verified(address.space().source(), LinkPlace.parse(place));
    }

    /// Checks a link without expiry: one that signs `<thread>/<path>` as they are.
    ///
    /// @param owner whose threads such links lead to
    /// @throws Refusal as [#check]
    public Verified checkLasting(Presented link, Caller owner) {
        var address = link.address();
        var text = new ByteArrayOutputStream();
        text.writeBytes((address.space().id() + "/").getBytes(StandardCharsets.UTF_8));
        text.writeBytes(address.path().bytes());
        var isSigned =
                keys.signAll(text.toByteArray()).stream()
                        .anyMatch(signature -> isSame(signature, link.signature()));
        if (!isSigned || link.storing() || address.space().source() != Source.THREAD) {
            throw refused();
        }
        var place = Threads.place(owner, address.space().id());
        return new Verified(Source.THREAD, LinkPlace.of(owner, place));
    }

    private static Refusal refused() {
        return new Refusal(Reason.FORBIDDEN, "This link is not valid or has expired.");
    }

    private static boolean isSame(byte[] expected, Optional<String> presented) {
        var text = HexFormat.of().formatHex(expected).getBytes(StandardCharsets.US_ASCII);
        return presented
                .filter(given ->
                        MessageDigest.isEqual(text, given.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    private static Optional<Long> seconds(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
