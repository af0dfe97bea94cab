package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.identity.SecretFile;
import dev.caisson.storage.LinkKeys;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;

/// What links to files are signed with: the operator's secret, or one made at the first start. The
/// latter stays valid when the operator gives another one later.
final class LinkSecrets {
    private LinkSecrets() {}

    static LinkKeys of(Config config) {
        var files = config.files();
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
