package dev.caisson;

import dev.caisson.cli.Caisson;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.KeyDesk;
import dev.caisson.cli.Product;
import dev.caisson.config.Config;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/// The command line.
public final class Main {
    private Main() {}

    static void main(String[] args) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(Caisson.run(new Nothing(), out, err, args));
    }

    private static final class Nothing implements Product {
        @Override
        public int serve(Config config, PrintWriter out) throws CommandFailed {
            throw new CommandFailed("This build has no listener.");
        }

        @Override
        public int stdio(Config config) throws CommandFailed {
            throw new CommandFailed("This build has no protocol.");
        }

        @Override
        public int doctor(Config config, boolean json, PrintWriter out) throws CommandFailed {
            throw new CommandFailed("This build has no sandbox.");
        }

        @Override
        public KeyDesk keys(Config config) throws CommandFailed {
            throw new CommandFailed("This build has no keys.");
        }
    }
}
