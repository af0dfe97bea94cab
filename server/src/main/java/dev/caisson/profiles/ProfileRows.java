package dev.caisson.profiles;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// SQL statements on profiles. Settings are kept as the JSON of [ProfileSettings], without the
/// members that are absent.
final class ProfileRows {
    private static final String SELECT =
            "SELECT name, settings, changed_at, revision FROM profile ";

    private ProfileRows() {}

    static void put(Transaction handle, String name, ProfileSettings settings, Instant now) {
        handle.update(
                        """
                        INSERT INTO profile (name, settings, changed_at, revision)
                        VALUES (:name, :settings, :now, :now)
                        ON CONFLICT (name) DO UPDATE
                        SET settings = excluded.settings, changed_at = excluded.changed_at,
                            revision = CASE WHEN excluded.revision > profile.revision
                                THEN excluded.revision ELSE profile.revision + 1 END
                        """)
                .bind("name", name)
                .bind("settings", text(settings))
                .bind("now", now.toEpochMilli())
                .execute();
    }

    static boolean delete(Transaction handle, String name) {
        return handle.update("DELETE FROM profile WHERE name = :name").bind("name", name).execute()
                > 0;
    }

    static Optional<NamedProfile> find(Transaction handle, String name) {
        return handle.query(SELECT + "WHERE name = :name")
                .bind("name", name)
                .map(row -> profile(row))
                .findOne();
    }

    static Map<String, NamedProfile> all(Transaction handle) {
        List<NamedProfile> rows =
                handle.query(SELECT + "ORDER BY name").map(row -> profile(row)).list();
        return rows.stream()
                .collect(Collectors.toUnmodifiableMap(NamedProfile::name, Function.identity()));
    }

    /// What tells whether anything changed.
    static Map<String, Long> revisions(Transaction handle) {
        List<Map.Entry<String, Long>> rows =
                handle.query("SELECT name, revision FROM profile")
                        .map(row -> Map.entry(row.getString("name"), row.getLong("revision")))
                        .list();
        return rows.stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static String text(ProfileSettings settings) {
        var tree = Records.tree(settings);
        tree.properties().removeIf(member -> member.getValue().isNull());
        return Json.text(tree);
    }

    private static NamedProfile profile(ResultSet row) throws SQLException {
        return new NamedProfile(
                row.getString("name"),
                Records.read(Json.parse(row.getString("settings")), ProfileSettings.class),
                NamedProfile.Source.STORED,
                Optional.of(Instant.ofEpochMilli(row.getLong("changed_at"))),
                row.getLong("revision"));
    }
}
