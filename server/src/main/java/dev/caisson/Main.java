package dev.caisson;

import dev.caisson.cli.Caisson;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/// Entry point of the product: runs the command line.
public final class Main {
    private Main() {}

    static void main(String[] args) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(Caisson.run(new Commands(Clock.systemUTC()), out, err, args));
    }
}
