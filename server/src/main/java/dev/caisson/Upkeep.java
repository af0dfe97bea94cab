package dev.caisson;

import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.Product;
import dev.caisson.config.Config;
import dev.caisson.json.Json;
import dev.caisson.ledger.Finding;
import dev.caisson.ledger.Head;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.Verification;
import dev.caisson.store.Backup;
import dev.caisson.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What an operator does to what is kept, beside a server that may be running.
final class Upkeep {
    private Upkeep() {}

    static int verify(Config.Data data, Optional<String> head, boolean json, PrintWriter out)
            throws CommandFailed {
        try (var store = existing(data)) {
            var found = new Ledger(store).verify(head.map(Upkeep::head));
            out.println(json ? Json.pretty(tree(found)) : text(found));
            out.flush();
            return found.intact() ? Product.OK : Product.FAILED;
        }
    }

    static int export(Config.Data data, PrintWriter out) throws CommandFailed, IOException {
        try (var store = existing(data)) {
            new Ledger(store).export(out);
            out.flush();
            if (out.checkError()) {
                throw new CommandFailed("The export could not be written to its end.");
            }
            return Product.OK;
        }
    }

    static int backup(Config.Data data, Path target, PrintWriter out) throws CommandFailed {
        var url = Database.url(data);
        if (url.isPresent()) {
            throw Backup.refusal(url.get());
        }
        requireThere(data);
        Backup.take(Database.file(data), List.of(Core.secret(data)), target.toAbsolutePath());
        out.println("The backup is in " + target.toAbsolutePath() + ".");
        return Product.OK;
    }

    static int restore(Config.Data data, Path backup, PrintWriter out) {
        var url = Database.url(data);
        if (url.isPresent()) {
            throw Backup.refusal(url.get());
        }
        Backup.restore(backup.toAbsolutePath(), data.directory());
        out.println("The backup was put into " + data.directory() + ".");
        return Product.OK;
    }

    /// A mistyped directory must not pass for an empty ledger.
    private static Store existing(Config.Data data) throws CommandFailed {
        if (data.databaseUrl().isEmpty()) {
            requireThere(data);
        }
        return Database.open(data);
    }

    private static void requireThere(Config.Data data) throws CommandFailed {
        if (!Files.isRegularFile(Database.file(data))) {
            throw new CommandFailed(
                    "There is no database in %s. Choose another directory with --data."
                            .formatted(data.directory()));
        }
    }

    private static Head head(String text) {
        var colon = text.indexOf(':');
        return new Head(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

    private static String text(Head head) {
        return head.sequence() + ":" + head.hash();
    }

    private static String text(Verification found) {
        if (found.intact()) {
            return "The ledger is intact: %d entries.%nHead: %s"
                    .formatted(found.entries(), text(found.head()));
        }
        var lines = new StringBuilder("The ledger is not as it was written:\n");
        for (var finding : found.findings()) {
            lines.append("  ").append(finding.sentence()).append('\n');
        }
        return lines.append(found.complete() ? "That is all." : "There may be more.").toString();
    }

    private static ObjectNode tree(Verification found) {
        var tree = Json.object().put("intact", found.intact()).put("entries", found.entries());
        tree.put("head", text(found.head())).put("complete", found.complete());
        var findings = tree.putArray("findings");
        found.findings().stream().map(Finding::sentence).forEach(findings::add);
        return tree;
    }
}
