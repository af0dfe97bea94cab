package dev.caisson;

import dev.caisson.identity.SecretFile;
import dev.caisson.storage.LinkKeys;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;

/// Secrets that sign links to files: the operator's, or one made at the first start. The latter
/// stays valid when the operator configures another one later.
final class LinkSecrets {
    private LinkSecrets() {}

    static LinkKeys of(Config config) {
        var files = config.files().links();
        var own = config.data().directory().resolve("file-secret");
        var secrets = new ArrayList<String>();
        files.secret().ifPresent(secrets::add);
        secrets.addAll(files.formerSecrets());
        if (files.secret().isEmpty() || Files.exists(own)) {
            var made = HexFormat.of().formatHex(SecretFile.read(own));
            secrets.add(files.secret().isEmpty() ? 0 : secrets.size(), made);
        }
        return new LinkKeys(secrets);
    }
}
