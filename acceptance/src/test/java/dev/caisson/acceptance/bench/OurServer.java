package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.Engine;
import dev.caisson.acceptance.Engine.Setting;

/// Our engine as the contest meets it: with keys asked for and schemas checked.
final class OurServer {
    private OurServer() {}

    static void main() throws Exception {
        try (var engine = Engine.start(Setting.KEYS)) {
            System.out.println("port " + engine.port() + " key " + engine.key("alice"));
            System.in.read();
        }
    }
}
