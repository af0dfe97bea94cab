package dev.caisson.identity;

import dev.caisson.call.NetworkRules;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Variables;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Transaction;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// SQL statements on keys.
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
                revoked_at, first_used_at, strict_params, profile, environments, env_vars,
                secret_env_vars, tools, network
            FROM api_key
            """;

    private KeyRows() {}

    static void insert(Transaction handle, KeyInfo info, byte[] secretHash) {
        handle.update(
                        """
                        INSERT INTO api_key
                            (id, name, secret_hash, scopes, toolsets, volumes, created_at,
                             expires_at, strict_params, profile, environments, env_vars,
                             secret_env_vars, tools, network)
                        VALUES
                            (:id, :name, :hash, :scopes, :toolsets, :volumes, :created, :expires,
                             :strict, :profile, :environments, :env, :secrets,
                             :tools, :network)
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
                .bind("profile", info.profile())
                .bind("environments", ordered(info.environments()))
                .bind("env", object(info.variables().plain()))
                .bind("secrets", object(info.variables().secret()))
                .bind("tools", ordered(info.tools().patterns()))
                .bind("network", Json.text(Records.tree(NetworkForm.of(info.network()))))
                .execute();
    }

    static boolean any(Transaction handle) {
        return handle.query("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one() > 0;
    }

    static Optional<Row> find(Transaction handle, String id) {
        return handle.query(SELECT + "WHERE id = :id")
                .bind("id", id)
                .map(row -> row(row))
                .findOne();
    }

    static List<KeyInfo> list(Transaction handle) {
        return handle.query(SELECT + "ORDER BY created_at, id").map(row -> row(row).info()).list();
    }

    /// @return whether it was the first use
    static boolean use(Transaction handle, String id, Instant now) {
        return handle.update(
                                """
                                UPDATE api_key SET first_used_at = :now
                                WHERE id = :id AND first_used_at IS NULL
                                """)
                        .bind("now", now.toEpochMilli())
                        .bind("id", id)
                        .execute()
                > 0;
    }

    static void revoke(Transaction handle, String id, Instant now) {
        handle.update("UPDATE api_key SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL")
                .bind("now", now.toEpochMilli())
                .bind("id", id)
                .execute();
    }

    /// How many keys that work have a profile.
    static long having(Transaction handle, String profile, Instant now) {
        return handle.query(
                        """
                        SELECT COUNT(*) FROM api_key
                        WHERE profile = :profile AND revoked_at IS NULL
                            AND (expires_at IS NULL OR expires_at > :now)
                        """)
                .bind("profile", profile)
                .bind("now", now.toEpochMilli())
                .mapTo(Long.class)
                .one();
    }

    static List<String> revokedSince(Transaction handle, Instant moment) {
        return handle.query("SELECT id FROM api_key WHERE revoked_at >= :moment")
                .bind("moment", moment.toEpochMilli())
                .mapTo(String.class)
                .list();
    }

    static List<String> revokedBefore(Transaction handle, Instant moment) {
        return handle.query("SELECT id FROM api_key WHERE revoked_at < :moment")
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
                        row.getLong("strict_params") != 0,
                        row.getString("profile"),
                        inOrder(row.getString("environments")),
                        new Variables(
                                texts(row.getString("env_vars")),
                                texts(row.getString("secret_env_vars"))),
                        new ToolPatterns(inOrder(row.getString("tools"))),
                        network(row.getString("network")));
        return new Row(info, HexFormat.of().parseHex(row.getString("secret_hash")));
    }

    private static NetworkRules network(String json) {
        return Records.read(Json.parse(json), NetworkForm.class).rules();
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

    private static List<String> inOrder(String json) {
        return Json.parse(json).valueStream().map(node -> node.stringValue()).toList();
    }

    private static String ordered(List<String> words) {
        var array = Json.array();
        words.forEach(array::add);
        return Json.text(array);
    }

    private static String array(Collection<String> words) {
        var array = Json.array();
        words.stream().sorted().forEach(array::add);
        return Json.text(array);
    }

    private static Map<String, String> texts(String json) {
        return Json.parse(json).properties().stream()
                .collect(
                        Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, entry -> entry.getValue().stringValue()));
    }

    private static String object(Map<String, String> texts) {
        var object = Json.object();
        new TreeMap<>(texts).forEach(object::put);
        return Json.text(object);
    }
}
