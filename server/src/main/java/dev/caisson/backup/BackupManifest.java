package dev.caisson.backup;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The last file of a backup, `manifest.json`: what is in it, and what is not. A directory without
/// one was interrupted.
///
/// ```
/// {"format": 1, "version": "…", "created": "…", "complete": true, "missing": ["…"],
///  "database": true,
///  "files": [{"path": "threads/…/workspace.img", "bytes": 1073741824, "digest": "…",
///             "modified": 1767268800000}]}
/// ```
///
/// @param created when, as text
/// @param missing what is not in it, as phrases for people; a backup that lacks something is not
///   whole
/// @param database whether the database is in it
public record BackupManifest(
        String version, String created, List<String> missing, boolean database, List<Item> files) {
    static final String FILE = "manifest.json";
    private static final int FORMAT = 1;

    public BackupManifest {
        missing = List.copyOf(missing);
        files = List.copyOf(files);
    }

    /// A file.
    ///
    /// @param path in the backup, with slashes
    /// @param digest see [dev.caisson.linux.SparseFile]
    /// @param modified in milliseconds since 1970
    public record Item(String path, long bytes, String digest, long modified) {}

    public boolean isComplete() {
        return missing.isEmpty();
    }

    public long bytes() {
        return files.stream().mapToLong(Item::bytes).sum();
    }

    /// How many directories of a kind have files here.
    ///
    /// @param kind such as `threads`
    public long count(String kind) {
        return files.stream()
                .map(file -> file.path().split("/", 3))
                .filter(parts -> parts.length == 3 && parts[0].equals(kind))
                .map(parts -> parts[1])
                .distinct()
                .count();
    }

    /// Without its files, for a program to read.
    public ObjectNode summary() {
        var tree = Json.object().put("format", FORMAT).put("version", version);
        tree.put("created", created).put("complete", isComplete()).put("database", database);
        missing.forEach(tree.putArray("missing")::add);
        return tree;
    }

    ObjectNode tree() {
        var tree = summary();
        var array = tree.putArray("files");
        for (var file : files) {
            array.addObject()
                    .put("path", file.path())
                    .put("bytes", file.bytes())
                    .put("digest", file.digest())
                    .put("modified", file.modified());
        }
        return tree;
    }

    /// @throws IllegalArgumentException when it is none, or of a newer form
    static BackupManifest read(String text) {
        var tree = Json.parse(text);
        if (tree.path("format").asInt(0) != FORMAT) {
            throw new IllegalArgumentException("its form is not known to this version");
        }
        var missing = new ArrayList<String>();
        tree.path("missing").forEach(one -> missing.add(one.asString()));
        var files = new ArrayList<Item>();
        tree.path("files").forEach(one -> files.add(item(one)));
        return new BackupManifest(
                tree.path("version").asString(""),
                tree.path("created").asString(""),
                missing,
                tree.path("database").asBoolean(false),
                files);
    }

    private static Item item(JsonNode node) {
        return new Item(
                node.path("path").asString(""),
                node.path("bytes").asLong(-1),
                node.path("digest").asString(""),
                node.path("modified").asLong(0));
    }
}
