package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.Engine;
import dev.caisson.acceptance.Engine.Setting;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/// Our engine as the contest meets it: with keys asked for and schemas checked.
final class OurServer {
    /// Asks for a collection of garbage; answered when it is done.
    static final String COLLECT = "collect";

    private OurServer() {}

    static void main() throws Exception {
        try (var engine = Engine.start(Setting.KEYS)) {
            System.out.println("port " + engine.port() + " key " + engine.key("alice"));
            var asked =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (asked.readLine() != null) {
                System.gc();
                System.out.println("collected");
            }
        }
    }
}
