package dev.caisson;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.EnvironmentAdmin;
import dev.caisson.environments.BakeRecord;
import dev.caisson.environments.Lock;
import dev.caisson.environments.ShippedLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Administration of environments for the command line, with sandboxes of its own. A server beside
/// it sees every change.
final class StoredEnvironmentAdmin implements EnvironmentAdmin {
    private static final long PAUSE_MILLIS = 200;

    private final Core core;

    StoredEnvironmentAdmin(Core core) {
        this.core = core;
    }

    private static Call call() {
        return Call.of(Caller.LOCAL, Door.CLI, TraceContext.fresh());
    }

    @Override
    public boolean bake(Wanted wanted, PrintWriter out) throws CommandFailed, InterruptedException {
        var record = core.actions.environments().bake(call(), wanted.name(), lock(wanted));
        out.println(
                record.hosts().isEmpty()
                        ? "No host is asked."
                        : "Hosts that are asked: " + String.join(", ", record.hosts()));
        int shown = 0;
        while (record.state() == BakeRecord.State.RUNNING) {
            shown = show(record, shown, out);
            Thread.sleep(PAUSE_MILLIS);
        }
        show(record, shown, out);
        return record.state() == BakeRecord.State.DONE;
    }

    private static int show(BakeRecord record, int from, PrintWriter out) {
        var text = record.output();
        out.print(text.substring(Math.min(from, text.length())));
        out.flush();
        return text.length();
    }

    private static Lock lock(Wanted wanted) throws CommandFailed {
        if (wanted.python().isEmpty() && wanted.node().isEmpty()) {
            return ShippedLock.named(wanted.name())
                    .map(ShippedLock::lock)
                    .orElseThrow(() ->
                            new CommandFailed(
                                    "The environment %s needs a lock: give --python, --node or both."
                                            .formatted(wanted.name())));
        }
        return new Lock(text(wanted.python()), text(wanted.node()), wanted.preload());
    }

    private static Optional<String> text(Optional<Path> file) throws CommandFailed {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(file.get()));
        } catch (IOException failed) {
            throw new CommandFailed("Cannot read " + file.get() + ".");
        }
    }

    @Override
    public List<Listed> list() {
        return core.environments.all().stream()
                .map(each ->
                        new Listed(
                                each.name(),
                                each.hash(),
                                each.packages().size(),
                                each.bytes(),
                                each.bakedAt().toString()))
                .toList();
    }

    @Override
    public void remove(String name) throws InterruptedException {
        core.actions.environments().remove(call(), name);
    }

    @Override
    public void close() {
        core.close();
    }
}
