package dev.caisson;

import dev.caisson.backup.Backup;
import dev.caisson.backup.BackupManifest;
import dev.caisson.backup.Restoration;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.Product;
import dev.caisson.config.Version;
import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import dev.caisson.ledger.Finding;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerHead;
import dev.caisson.ledger.Verification;
import dev.caisson.store.DataSettings;
import dev.caisson.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Commands on stored data that need no server, and that may run beside one: ledger, backup,
/// threads.
final class OfflineCommands {
    private OfflineCommands() {}

    static int verify(DataSettings data, Optional<String> head, boolean json, PrintWriter out)
            throws CommandFailed {
        try (var store = existing(data)) {
            var found = new Ledger(store).verify(head.map(OfflineCommands::head));
            out.println(json ? Json.pretty(tree(found)) : text(found));
            out.flush();
            return found.intact() ? Product.OK : Product.FAILED;
        }
    }

    static int export(DataSettings data, PrintWriter out) throws CommandFailed, IOException {
        try (var store = existing(data)) {
            new Ledger(store).export(out);
            out.flush();
            if (out.checkError()) {
                throw new CommandFailed("The export could not be written completely.");
            }
            return Product.OK;
        }
    }

    /// @param wait how long workspaces in use may take
    static int backup(DataSettings data, Path target, Duration wait, boolean json, PrintWriter out)
            throws CommandFailed, InterruptedException {
        if (data.databaseUrl().isEmpty()) {
            requireThere(data);
        }
        NativeLibraries.prepare(data.directory());
        var progress = new CopyProgress(json ? _ -> {} : out::println);
        var made = Backup.take(place(data), target.toAbsolutePath(), wait, Version.TEXT, progress);
        out.println(json ? Json.pretty(tree(made, target)) : taken(made, target));
        out.flush();
        return made.isComplete() ? Product.OK : Product.FAILED;
    }

    /// @param incomplete whether a backup that is not whole will do
    static int restore(
            DataSettings data, Path backup, boolean incomplete, boolean json, PrintWriter out)
            throws InterruptedException {
        var made = restored(data, backup.toAbsolutePath(), incomplete);
        out.println(
                json
                        ? Json.pretty(tree(made, backup))
                        : "The backup was restored into "
                                + data.directory()
                                + ": "
                                + contents(made)
                                + missing(made));
        out.flush();
        return Product.OK;
    }

    /// Libraries are in the data directory too, and go with a refusal when they came for it.
    private static BackupManifest restored(DataSettings data, Path backup, boolean incomplete)
            throws InterruptedException {
        var there = Files.exists(data.directory());
        var libraries = NativeLibraries.areIn(data.directory());
        NativeLibraries.prepare(data.directory());
        try {
            return Restoration.restore(backup, place(data), incomplete);
        } catch (RuntimeException refused) {
            if (!libraries) {
                NativeLibraries.remove(data.directory(), there);
            }
            throw refused;
        }
    }

    private static Backup.Place place(DataSettings data) {
        return new Backup.Place(
                data.directory(),
                data.threadsDirectory(),
                data.databaseUrl().isPresent()
                        ? Optional.empty()
                        : Optional.of(Database.file(data)));
    }

    private static String taken(BackupManifest made, Path target) {
        return "The backup is in "
                + target.toAbsolutePath()
                + ": "
                + contents(made)
                + (made.isComplete() ? "" : missing(made) + "\nThe backup is incomplete.");
    }

    private static String contents(BackupManifest made) {
        return "%s%d threads, %d volumes, outputs of %d executions, the secrets."
                .formatted(
                        made.database() ? "the database, " : "",
                        made.count("threads"),
                        made.count("volumes"),
                        made.count("output"));
    }

    private static String missing(BackupManifest made) {
        return made.isComplete()
                ? ""
                : "\nMissing: " + Printable.text(String.join("; ", made.missing())) + ".";
    }

    private static ObjectNode tree(BackupManifest made, Path directory) {
        var tree = made.summary().put("directory", directory.toAbsolutePath().toString());
        tree.put("threads", made.count("threads")).put("volumes", made.count("volumes"));
        tree.put("outputs", made.count("output")).put("files", made.files().size());
        return tree.put("bytes", made.bytes());
    }

    /// A mistyped directory must not pass for an empty ledger.
    private static Store existing(DataSettings data) throws CommandFailed {
        if (data.databaseUrl().isEmpty()) {
            requireThere(data);
        }
        return Database.open(data);
    }

    /// A mistyped directory must not pass for one without keys or entries.
    static void requireThere(DataSettings data) throws CommandFailed {
        if (data.databaseUrl().isEmpty() && !Files.isRegularFile(Database.file(data))) {
            throw new CommandFailed(
                    "There is no database in %s. Choose another directory with --data."
                            .formatted(data.directory()));
        }
    }

    private static LedgerHead head(String text) {
        var colon = text.indexOf(':');
        return new LedgerHead(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

    private static String text(LedgerHead head) {
        return head.sequence() + ":" + head.hash();
    }

    private static String text(Verification found) {
        if (found.intact()) {
            return "The ledger is intact: %d entries.%nHead: %s"
                    .formatted(found.entries(), text(found.head()));
        }
        var lines = new StringBuilder("The ledger was changed:\n");
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
