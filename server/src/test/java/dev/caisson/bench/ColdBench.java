package dev.caisson.bench;

import dev.caisson.json.Json;
import java.nio.file.Path;
import java.util.List;

/// `bench cold [--json]`: programs in sandboxes made for them beside the same programs without.
public final class ColdBench {
    private static final int ROUNDS = 40;

    private ColdBench() {}

    static void main(String[] arguments) throws Exception {
        var guests =
                Path.of(System.getProperty("caisson.repository", ".."), "server/target/guests");
        var report = Cold.run(guests.toAbsolutePath().normalize(), ROUNDS);
        System.out.print(
                List.of(arguments).contains("--json")
                        ? Json.pretty(report.json()) + "\n"
                        : report.table());
    }
}
