package dev.caisson;

import dev.caisson.identity.SecretFile;
import java.nio.file.Path;
import java.util.HexFormat;

/// Id of a data directory among those of other servers with the same database. It is made at the
/// first start and goes along with a backup.
final class DirectoryId {
    static final String FILE = "directory-id";

    private DirectoryId() {}

    static String of(Path data) {
        return HexFormat.of().formatHex(SecretFile.read(data.resolve(FILE)));
    }
}
