package dev.caisson.acceptance.judge;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the sources are. Tests run in the module's directory, the launcher anywhere.
public final class Repository {
    private Repository() {}

    public static Path root() {
        var configured = System.getProperty("caisson.repository");
        if (configured != null) {
            return Path.of(configured);
        }
        var here = Path.of("").toAbsolutePath();
        while (here != null) {
            if (Files.isRegularFile(here.resolve("acceptance/pom.xml"))) {
                return here;
            }
            here = here.getParent();
        }
        throw new IllegalStateException(
                "run this inside the repository, or name it with -Dcaisson.repository=DIRECTORY");
    }

    public static Path acceptance() {
        return root().resolve("acceptance");
    }
}
