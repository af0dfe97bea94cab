package dev.caisson.acceptance.product;

import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Packages for a server under test: a registry of files with the package `tiny`, and the image
/// `science` of this machine's own files.
///
/// @param directory that users of sandboxes may pass through
record PackageStock(Path directory) {
    static PackageStock in(Path directory) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var stock = new PackageStock(directory);
        stock.publish();
        stock.makeImage();
        return stock;
    }

    /// What the server is started with.
    String[] options() {
        return new String[] {
            "--set",
            "environments.registries=file://" + directory.resolve("registry/simple"),
            "--set",
            "sandbox.image_directory=" + directory.resolve("images")
        };
    }

    private void publish() throws IOException {
        var file = "tiny-1.0-py3-none-any.whl";
        var pages = Files.createDirectories(directory.resolve("registry/simple/tiny"));
        var files = Files.createDirectories(directory.resolve("registry/files"));
        Files.writeString(
                pages.resolve("index.html"),
                "<!DOCTYPE html><a href=\"../../files/%1$s\">%1$s</a>".formatted(file));
        var info = "tiny-1.0.dist-info/";
        var parts =
                Map.of(
                        "tiny.py",
                        "VERSION = '1.0'\n",
                        info + "METADATA",
                        "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
                        info + "WHEEL",
                        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                        info + "RECORD",
                        "tiny.py,,\n%1$sMETADATA,,\n%1$sWHEEL,,\n%1$sRECORD,,\n".formatted(info));
        try (var zip = new ZipOutputStream(Files.newOutputStream(files.resolve(file)))) {
            for (var part : parts.entrySet()) {
                zip.putNextEntry(new ZipEntry(part.getKey()));
                zip.write(part.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void makeImage() throws IOException, InterruptedException {
        var image = Files.createDirectories(directory.resolve("images/science"));
        Files.writeString(image.resolve("runner.yaml"), "language: python\n");
        var maker =
                Repository.root().resolve("server/src/test/resources/dev/caisson/host-image.sh");
        var process =
                new ProcessBuilder("sh", maker.toString(), image.resolve("rootfs").toString())
                        .inheritIO()
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("the image could not be made");
        }
    }
}
