package dev.caisson.environments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Wheels and a registry of files, made by tests. A wheel is a zip.
public final class Wheels {
    private Wheels() {}

    /// @param files beside the metadata, by name
    public static byte[] wheel(String name, String version, Map<String, String> files)
            throws IOException {
        var info = name + "-" + version + ".dist-info/";
        var all = new LinkedHashMap<>(files);
        all.put(
                info + "METADATA",
                "Metadata-Version: 2.1\nName: %s\nVersion: %s\n".formatted(name, version));
        all.put(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
        var record = new StringBuilder();
        all.keySet().forEach(file -> record.append(file).append(",,\n"));
        all.put(info + "RECORD", record.append(info).append("RECORD,,\n").toString());
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var file : all.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    public static byte[] plain(String name, String version) throws IOException {
        return wheel(name, version, Map.of(name + ".py", "VERSION = '%s'\n".formatted(version)));
    }

    static String file(String name, String version) {
        return name + "-" + version + "-py3-none-any.whl";
    }

    /// Adds a wheel to an index of files: `simple/` beside `files/`.
    ///
    /// @return the address of the index
    public static String publish(Path root, String name, String version, byte[] wheel)
            throws IOException {
        return publishFile(root, name, file(name, version), wheel);
    }

    static String publishFile(Path root, String name, String file, byte[] bytes)
            throws IOException {
        var pages = Files.createDirectories(root.resolve("simple").resolve(name));
        Files.createDirectories(root.resolve("files"));
        Files.write(root.resolve("files").resolve(file), bytes);
        var page = pages.resolve("index.html");
        var before = Files.exists(page) ? Files.readString(page) : "<!DOCTYPE html>";
        Files.writeString(
                page, before + "<a href=\"../../files/%s\">%s</a>\n".formatted(file, file));
        return "file://" + root.resolve("simple");
    }
}
