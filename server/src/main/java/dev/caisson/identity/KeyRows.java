package dev.caisson.identity;

import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/// The statements on keys.
final class KeyRows {
    @SuppressWarnings("ArrayRecordComponent") // Compared by MessageDigest.isEqual alone.
    record Row(KeyInfo info, byte[] secretHash) {
        /// The key, if this is the hash of its secret and it works at this moment.
        Optional<KeyInfo> opened(byte[] presentedHash, Instant now) {
            return MessageDigest.isEqual(secretHash, presentedHash) && info.worksAt(now)
                    ? Optional.of(info)
                    : Optional.empty();
        }
    }

    private static final String SELECT =
            """
            SELECT id, name, secret_hash, scopes, toolsets, volumes, created_at, expires_at,
                revoked_at, first_used_at, strict_params
            FROM api_key
            """;

    private KeyRows() {}

    static void insert(Handle handle, KeyInfo info, byte[] secretHash) {
        handle.createUpdate(
                        """
                        INSERT INTO api_key
                            (id, name, secret_hash, scopes, toolsets, volumes, created_at,
                             expires_at, strict_params)
                        VALUES
                            (:id, :name, :hash, :scopes, :toolsets, :volumes, :created, :expires,
                             :strict)
                        """)
                .bind("id", info.id())
                .bind("name", info.name())
                .bind("hash", HexFormat.of().formatHex(secretHash))
                .bind("scopes", array(info.scopes().stream().map(Scope::word).toList()))
                .bind("toolsets", array(info.toolsets()))
                .bind("volumes", array(info.volumes().stream().map(StandingVolume::text).toList()))
                .bind("created", info.created().toEpochMilli())
                .bind("expires", info.expires().map(Instant::toEpochMilli))
                .bind("strict", info.strictParams() ? 1L : 0L)
                .execute();
    }

    static boolean any(Handle handle) {
        return handle.createQuery("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one() > 0;
    }

    static Optional<Row> find(Handle handle, String id) {
        return handle.createQuery(SELECT + "WHERE id = :id")
                .bind("id", id)
                .map((row, _) -> row(row))
                .findOne();
    }

    static List<KeyInfo> list(Handle handle) {
        return handle.createQuery(SELECT + "ORDER BY created_at, id")
                .map((row, _) -> row(row).info())
                .list();
    }

    /// @return whether it was the first use
    static boolean use(Handle handle, String id, Instant now) {
        return handle.createUpdate(
                                """
                                UPDATE api_key SET first_used_at = :now
                                WHERE id = :id AND first_used_at IS NULL
                                """)
                        .bind("now", now.toEpochMilli())
                        .bind("id", id)
                        .execute()
                > 0;
    }

    static void revoke(Handle handle, String id, Instant now) {
        handle.createUpdate(
                        "UPDATE api_key SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL")
                .bind("now", now.toEpochMilli())
                .bind("id", id)
                .execute();
    }

    static List<String> revokedSince(Handle handle, Instant moment) {
        return handle.createQuery("SELECT id FROM api_key WHERE revoked_at >= :moment")
                .bind("moment", moment.toEpochMilli())
                .mapTo(String.class)
                .list();
    }

    static List<String> revokedBefore(Handle handle, Instant moment) {
        return handle.createQuery("SELECT id FROM api_key WHERE revoked_at < :moment")
                .bind("moment", moment.toEpochMilli())
                .mapTo(String.class)
                .list();
    }

    private static Row row(ResultSet row) throws SQLException {
        var info =
                new KeyInfo(
                        row.getString("id"),
                        row.getString("name"),
                        scopes(row.getString("scopes")),
                        words(row.getString("toolsets")),
                        volumes(row.getString("volumes")),
                        Instant.ofEpochMilli(row.getLong("created_at")),
                        moment(row, "expires_at"),
                        moment(row, "revoked_at"),
                        moment(row, "first_used_at"),
                        row.getLong("strict_params") != 0);
        return new Row(info, HexFormat.of().parseHex(row.getString("secret_hash")));
    }

    private static Optional<Instant> moment(ResultSet row, String column) throws SQLException {
        var millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /// A scope this program does not know grants nothing.
    private static Set<Scope> scopes(String json) {
        return words(json).stream()
                .flatMap(word -> Scope.of(word).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static List<StandingVolume> volumes(String json) {
        return words(json).stream()
                .map(text ->
                        StandingVolume.of(text)
                                .orElseThrow(() ->
                                        new IllegalStateException(
                                                "a key has a volume that cannot be read")))
                .toList();
    }

    private static Set<String> words(String json) {
        return Json.parse(json)
                .valueStream()
                .map(node -> node.stringValue())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String array(Collection<String> words) {
        var array = Json.array();
        words.stream().sorted().forEach(array::add);
        return Json.text(array);
    }
}
