package dev.caisson.storage;

import java.util.Locale;
import java.util.Map;

/// Media types of files, by the end of their names. A guess for people and clients; nothing relies
/// on it.
public final class MediaTypes {
    private static final String UNKNOWN = "application/octet-stream";
    private static final Map<String, String> BY_EXTENSION =
            Map.ofEntries(
                    Map.entry("txt", "text/plain"),
                    Map.entry("log", "text/plain"),
                    Map.entry("md", "text/markdown"),
                    Map.entry("csv", "text/csv"),
                    Map.entry("tsv", "text/tab-separated-values"),
                    Map.entry("html", "text/html"),
                    Map.entry("htm", "text/html"),
                    Map.entry("css", "text/css"),
                    Map.entry("py", "text/x-python"),
                    Map.entry("js", "text/javascript"),
                    Map.entry("mjs", "text/javascript"),
                    Map.entry("ts", "text/x-typescript"),
                    Map.entry("sh", "text/x-shellscript"),
                    Map.entry("json", "application/json"),
                    Map.entry("jsonl", "application/jsonl"),
                    Map.entry("xml", "application/xml"),
                    Map.entry("yaml", "application/yaml"),
                    Map.entry("yml", "application/yaml"),
                    Map.entry("toml", "application/toml"),
                    Map.entry("pdf", "application/pdf"),
                    Map.entry("zip", "application/zip"),
                    Map.entry("gz", "application/gzip"),
                    Map.entry("tar", "application/x-tar"),
                    Map.entry("parquet", "application/vnd.apache.parquet"),
                    Map.entry("sqlite", "application/vnd.sqlite3"),
                    Map.entry(
                            "xlsx",
                            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
                    Map.entry(
                            "docx",
                            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
                    Map.entry("png", "image/png"),
                    Map.entry("jpg", "image/jpeg"),
                    Map.entry("jpeg", "image/jpeg"),
                    Map.entry("gif", "image/gif"),
                    Map.entry("webp", "image/webp"),
                    Map.entry("svg", "image/svg+xml"),
                    Map.entry("mp3", "audio/mpeg"),
                    Map.entry("wav", "audio/wav"),
                    Map.entry("mp4", "video/mp4"));

    private MediaTypes() {}

    public static String of(String name) {
        var dot = name.lastIndexOf('.');
        var extension = name.substring(dot + 1).toLowerCase(Locale.ROOT);
        return dot < 0 ? UNKNOWN : BY_EXTENSION.getOrDefault(extension, UNKNOWN);
    }
}
