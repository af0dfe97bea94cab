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

    /// The product as it was built.
    public static String productClassPath() {
        var target = root().resolve("server/target");
        return target.resolve("caisson-server.jar") + ":" + target.resolve("lib") + "/*";
    }

    /// The product, and programs of the server's tests.
    public static String fixtureClassPath() {
        var classes =
                System.getProperty(
                        "caisson.fixtures",
                        root().resolve("server/target/test-classes").toString());
        return classes + ":" + productClassPath();
    }

    public static Path acceptance() {
        return root().resolve("acceptance");
    }
}
