package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.storage.tree.PathText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Path of a file in a thread or a volume: names from its root, separated by slashes. The empty
/// path is the root.
///
/// A path that exists was checked: no name in it is empty, `.` or `..`, and it is short enough for
/// the kernel. How names of any bytes become text is said in [PathText]; two paths are equal when
/// their bytes are.
public record FilePath(String text) implements Comparable<FilePath> {
    public static final int BYTES_MAX = 4095;
    static final int NAME_BYTES_MAX = 255;

    public static final FilePath ROOT = new FilePath("");

    /// Reads what a caller wrote: a path from the root, or one as a program sees it.
    ///
    /// @param seenAt where programs see the root, such as `/workspace`
    /// @throws Refusal INVALID_ARGUMENT when it leads elsewhere
    public static FilePath parse(String given, String seenAt) {
        var text = given;
        if (text.equals(seenAt) || text.startsWith(seenAt + "/")) {
            text = text.substring(seenAt.length()).replaceFirst("^/", "");
        }
        if (text.endsWith("/") && text.length() > 1) {
            text = text.substring(0, text.length() - 1);
        }
        if (text.isEmpty() || text.equals(".")) {
            return ROOT;
        }
        if (text.startsWith("/")) {
            throw refused(
                    "must start at the root of the storage, without a slash, or with "
                            + seenAt
                            + "/");
        }
        return checked(text);
    }

    private static FilePath checked(String text) {
        if (PathText.bytes(text).length > BYTES_MAX) {
            throw refused("is longer than " + BYTES_MAX + " bytes");
        }
        var canonical = new StringBuilder();
        for (var name : text.split("/", -1)) {
            canonical.append(canonical.isEmpty() ? "" : "/").append(checkedName(name));
        }
        return new FilePath(canonical.toString());
    }

    private static String checkedName(String text) {
        var name = PathText.bytes(text);
        var plain = new String(name, StandardCharsets.ISO_8859_1);
        if (plain.isEmpty() || plain.equals(".") || plain.equals("..")) {
            throw refused("must have no empty name, no '.' and no '..'");
        }
        if (plain.indexOf('/') >= 0 || plain.indexOf('\0') >= 0) {
            throw refused("must not hold a slash or a zero byte inside a name");
        }
        if (name.length > NAME_BYTES_MAX) {
            throw refused("holds a name longer than " + NAME_BYTES_MAX + " bytes");
        }
        return PathText.of(name);
    }

    private static Refusal refused(String why) {
        return new Refusal(Reason.INVALID_ARGUMENT, "path " + why + ".");
    }

    /// @param name as the kernel gave it
    public FilePath child(byte[] name) {
        return new FilePath(isRoot() ? PathText.of(name) : text + "/" + PathText.of(name));
    }

    /// A path that starts here.
    public FilePath child(FilePath below) {
        if (isRoot() || below.isRoot()) {
            return isRoot() ? below : this;
        }
        return new FilePath(text + "/" + below.text);
    }

    public boolean isRoot() {
        return text.isEmpty();
    }

    /// The last name; empty at the root.
    public String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    public Optional<FilePath> parent() {
        var slash = text.lastIndexOf('/');
        return isRoot()
                ? Optional.empty()
                : Optional.of(slash < 0 ? ROOT : new FilePath(text.substring(0, slash)));
    }

    /// As the kernel wants it.
    public byte[] bytes() {
        var bytes = new ByteArrayOutputStream(text.length());
        for (var name : text.split("/", -1)) {
            if (bytes.size() > 0) {
                bytes.write('/');
            }
            bytes.writeBytes(PathText.bytes(name));
        }
        return bytes.toByteArray();
    }

    public byte[] nameBytes() {
        return PathText.bytes(name());
    }

    @Override
    public int compareTo(FilePath other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
