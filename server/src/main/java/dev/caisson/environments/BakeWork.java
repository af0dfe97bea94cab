package dev.caisson.environments;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Work of one bake: from its record to the name that stands for what was made, or to the sentence
/// that says why there is nothing.
final class BakeWork {
    private static final Logger LOG = LoggerFactory.getLogger(BakeWork.class);

    private final EnvironmentStore files;
    private final EnvironmentNames names;
    private final Clock clock;
    private final Sandboxes sandboxes;
    private final WorkspaceMaker workspaces;
    private final EnvironmentSettings settings;
    private final PackageHost host;
    private final Metrics metrics;

    BakeWork(
            EnvironmentStore files,
            EnvironmentNames names,
            Clock clock,
            Sandboxes sandboxes,
            WorkspaceMaker workspaces,
            EnvironmentSettings settings,
            PackageHost host,
            Metrics metrics) {
        this.files = files;
        this.names = names;
        this.clock = clock;
        this.sandboxes = sandboxes;
        this.workspaces = workspaces;
        this.settings = settings;
        this.host = host;
        this.metrics = metrics;
    }

    /// Bakes, names what was made, and notes in the record how it ended.
    void bake(BakeRecord record, Lock lock, HostPackaging packaging) {
        long begun = System.nanoTime();
        try {
            var manifest =
                    files.make(
                            record.hash(),
                            (scratch, tree) ->
                                    maker(lock, record.sink())
                                            .into(
                                                    scratch,
                                                    tree,
                                                    packaging,
                                                    (resolved, taken) ->
                                                            manifest(lock, resolved, taken)));
            name(record, manifest);
            var seconds = (System.nanoTime() - begun) / 1_000_000_000;
            LOG.info(
                    "environment {} is baked: {} packages, {} MiB, {} s",
                    record.name(),
                    manifest.packages().size(),
                    manifest.bytes() >> 20,
                    seconds);
            record.sink().say("== done");
            metrics.bakes().labelValues("done").inc();
            record.done();
        } catch (BakeFailed failed) {
            fail(record, String.valueOf(failed.getMessage()));
        } catch (IOException | UncheckedIOException failed) {
            fail(record, "What was fetched cannot be kept: " + failed.getMessage() + ".");
        } catch (Refusal refused) {
            fail(record, refused.sentence());
        } catch (InterruptedException ended) {
            fail(record, "The server stopped.");
        } catch (RuntimeException fault) {
            LOG.error("a bake failed", fault);
            fail(record, "It failed by a fault of this server; its log has the rest.");
        }
    }

    private void fail(BakeRecord record, String why) {
        record.sink().say(why);
        metrics.bakes().labelValues("failed").inc();
        record.failed(why);
        LOG.warn("environment {} could not be baked: {}", record.name(), why);
    }

    private Bake maker(Lock lock, BakeOutput output) {
        var steps = new BakeSteps(sandboxes, settings, host.shell(), output);
        return new Bake(steps, workspaces, settings, host.python(), lock);
    }

    private Manifest manifest(Lock lock, Resolved resolved, TreeCopy.Taken taken) {
        return new Manifest(
                lock.python().map(_ -> host.pythonVersion()),
                lock.node().isPresent(),
                resolved.packages(),
                lock.preload(),
                resolved.lines(),
                new Manifest.Locked(lock.python(), lock.node()),
                taken.bytes(),
                taken.files(),
                clock.instant().toString());
    }

    private void name(BakeRecord record, Manifest manifest) throws IOException {
        var now = clock.instant();
        var before = names.put(record.name(), record.hash(), manifest, now);
        if (before.isPresent() && !before.get().equals(record.hash())) {
            files.release(before.get(), now);
        }
    }
}
