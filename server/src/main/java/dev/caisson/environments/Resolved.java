package dev.caisson.environments;

import dev.caisson.json.Json;
import dev.caisson.sandbox.PackageEnvironment.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Resolved form of a lock: every package with its version, and a lock for pip with the hash of
/// every file, which gives the same packages again.
record Resolved(List<Item> packages, String lines) {
    private static final Pattern WHEEL =
            Pattern.compile("([A-Za-z0-9._]{1,200})-([A-Za-z0-9._+!]{1,100})-.{1,300}\\.whl");

    static Resolved of(Path wheels, Lock lock) throws IOException {
        var items = new ArrayList<Item>();
        var lines = new ArrayList<String>();
        if (lock.python().isPresent() && Files.isDirectory(wheels, LinkOption.NOFOLLOW_LINKS)) {
            try (var files = Files.newDirectoryStream(wheels, "*.whl")) {
                for (var file : files) {
                    var name = WHEEL.matcher(String.valueOf(file.getFileName()));
                    if (name.matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                        var item = new Item(plain(name.group(1)), name.group(2));
                        items.add(item);
                        lines.add(
                                "%s==%s --hash=sha256:%s"
                                        .formatted(item.name(), item.version(), sha256(file)));
                    }
                }
            }
        }
        lock.node().ifPresent(text -> items.addAll(ofNode(text)));
        items.sort(Comparator.comparing(Item::name));
        lines.sort(Comparator.naturalOrder());
        return new Resolved(List.copyOf(items), String.join("\n", lines));
    }

    private static String plain(String name) {
        return name.replace('_', '-').toLowerCase(Locale.ROOT);
    }

    /// Those a program names, without what they need themselves.
    private static List<Item> ofNode(String text) {
        var packages = Json.parse(text.getBytes(StandardCharsets.UTF_8)).path("packages");
        return packages.path("")
                .path("dependencies")
                .propertyStream()
                .map(each ->
                        new Item(
                                each.getKey(),
                                packages.path("node_modules/" + each.getKey())
                                        .path("version")
                                        .asString("?")))
                .toList();
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in =
                new DigestInputStream(
                        Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS),
                        MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(((DigestInputStream) in).getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
