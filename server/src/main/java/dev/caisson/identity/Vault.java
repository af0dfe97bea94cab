package dev.caisson.identity;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Named secrets of the operator, sealed in the database by a [VaultKey].
///
/// Values go in and are used inside the server; no door reads one back. Nothing is remembered, so
/// every server of a database sees every change at once. A value that does not open is reported by
/// its name with the remedy.
public final class Vault {
    public static final String NAME_PATTERN = "[a-z0-9][a-z0-9_-]{0,63}";
    public static final int NAME_MAX = 64;
    public static final int VALUE_BYTES_MAX = 64 << 10;
    public static final int COUNT_MAX = 1000;

    /// How many names a sentence has.
    private static final int SHOWN_MAX = 10;

    private static final String REMEDY =
            "Give the server the key back (vault.key, or the file secret of the data directory), or"
                    + " set the value again with `caisson secret set`.";

    private final Store store;
    private final Clock clock;
    private final VaultKey key;

    public Vault(Store store, Clock clock, VaultKey key) {
        this.store = store;
        this.clock = clock;
        this.key = key;
    }

    /// Seals a value, in place of the one of that name.
    ///
    /// @throws Refusal INVALID_ARGUMENT for a name or a value that cannot be; CONFLICT when there
    ///   are as many secrets as there may be
    public VaultEntry put(String name, String value) {
        requireName(name);
        var sealed = key.seal(name, bytes(value));
        var now = Instant.ofEpochMilli(clock.millis());
        return store.write(handle -> {
            if (VaultRows.others(handle, name) >= COUNT_MAX) {
                throw new Refusal(
                        Reason.CONFLICT,
                        "There are %d secrets already. Remove one first.".formatted(COUNT_MAX));
            }
            VaultRows.put(handle, name, sealed, now);
            return new VaultEntry(name, now, true);
        });
    }

    /// @throws Refusal NOT_FOUND when there is none of this name
    public void remove(String name) {
        requireName(name);
        if (!store.write(handle -> VaultRows.delete(handle, name))) {
            throw missing(name);
        }
    }

    /// In the order of their names.
    public List<VaultEntry> list() {
        return store.read(VaultRows::all).stream().map(this::entry).toList();
    }

    private VaultEntry entry(VaultRows.Line line) {
        return new VaultEntry(line.name(), line.updated(), line.keyId().equals(key.id()));
    }

    /// The value itself, for connections that this server makes. No door may call this.
    ///
    /// @throws Refusal NOT_FOUND when there is none of this name; UNAVAILABLE when it was sealed
    ///   with another key, or changed since
    public String value(String name) {
        requireName(name);
        var sealed =
                store.read(handle -> VaultRows.find(handle, name)).orElseThrow(() -> missing(name));
        if (!sealed.keyId().equals(key.id())) {
            throw unusable("The secret " + name + " was sealed with another key. " + REMEDY, name);
        }
        var opened =
                key.open(name, sealed)
                        .orElseThrow(() ->
                                unusable(
                                        "The secret %s is not as it was sealed: its row in the database was changed. Set the value again with `caisson secret set`."
                                                .formatted(name),
                                        name));
        return new String(opened, StandardCharsets.UTF_8);
    }

    /// Seals what this server keeps itself, such as tokens of upstreams.
    ///
    /// @param place where it is kept, with a colon, which the name of a secret never has
    public VaultKey.Sealed seal(String place, String text) {
        return key.seal(requirePlace(place), text.getBytes(StandardCharsets.UTF_8));
    }

    /// @return empty when it is not as it was sealed for this place, or with another key
    public Optional<String> open(String place, VaultKey.Sealed sealed) {
        return sealed.keyId().equals(key.id())
                ? key.open(requirePlace(place), sealed)
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                : Optional.empty();
    }

    private static String requirePlace(String place) {
        if (place.indexOf(':') < 0) {
            throw new IllegalArgumentException("a place has a colon");
        }
        return place;
    }

    /// A sentence for the operator about secrets that this server's key does not open.
    ///
    /// @return empty when it opens all
    public Optional<String> warning() {
        var names = list().stream().filter(one -> !one.usable()).map(VaultEntry::name).toList();
        if (names.isEmpty()) {
            return Optional.empty();
        }
        var shown = names.stream().limit(SHOWN_MAX).collect(Collectors.joining(", "));
        var more = names.size() > SHOWN_MAX ? " and others" : "";
        return Optional.of(
                "Secrets that were sealed with another key cannot be used: %s%s. %s"
                        .formatted(shown, more, REMEDY));
    }

    private static void requireName(String name) {
        if (!name.matches(NAME_PATTERN)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The name of a secret has 1 to %d small letters, digits, - and _, and begins with a letter or a digit."
                            .formatted(NAME_MAX),
                    Map.of("parameter", "name"));
        }
    }

    private static byte[] bytes(String value) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw invalid("The value of a secret must be text that UTF-8 can hold.");
        }
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > VALUE_BYTES_MAX) {
            throw invalid("The value of a secret has 1 to " + VALUE_BYTES_MAX + " bytes.");
        }
        return bytes;
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", "value"));
    }

    private static Refusal missing(String name) {
        return new Refusal(
                Reason.NOT_FOUND, "There is no secret " + name + ". See `caisson secret list`.");
    }

    private static Refusal unusable(String sentence, String name) {
        return new Refusal(Reason.UNAVAILABLE, sentence, Map.of("secret", name));
    }
}
