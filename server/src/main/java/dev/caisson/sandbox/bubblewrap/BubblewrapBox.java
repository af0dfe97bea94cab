package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.NetworkNamespace;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Job;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.ProgramEnvironment;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Box made with bubblewrap: a [Sandbox] with what it stands on, which is its slot and its control
/// group.
///
/// @param group empty where there are no control groups
/// @param limits it was made for
/// @param files the names of the program's text, see [dev.caisson.sandbox.Boot]
/// @param preparation that made it, and takes it apart
record BubblewrapBox(
        Slot slot,
        Optional<CgroupGroup> group,
        Limits limits,
        List<String> files,
        Sandbox sandbox,
        Preparation preparation)
        implements Box {
    @Override
    public boolean isWaiting() {
        return !sandbox.hasEnded();
    }

    @Override
    public void apply(Limits wanted) {
        group.ifPresent(each -> each.update(SandboxSpec.groupLimits(wanted)));
        if (!LimitFiles.areSame(wanted, limits)) {
            state(wanted);
        }
    }

    @Override
    public void holdMemory(Limits wanted, long bytes) {
        group.ifPresent(each -> each.update(SandboxSpec.groupLimits(wanted.withMemory(bytes))));
    }

    private void state(Limits wanted) {
        try {
            slot.state(wanted);
        } catch (IOException failed) {
            throw new UncheckedIOException("the limits cannot be stated", failed);
        }
    }

    @Override
    public void attach(Workspace workspace) {
        sandbox.attach(workspace);
    }

    @Override
    public void weigh(int weight) {
        group.ifPresent(each -> each.weigh(weight));
    }

    @Override
    public void onKill(Runnable dying) {
        sandbox.onKill(dying);
    }

    @Override
    public void handOver(Job job) throws IOException {
        slot.write(files, job.code());
        var words = new ArrayList<String>();
        if (job.order().input().isPresent()) {
            words.add(ProgramEnvironment.input(slot.put("stdin", bytes(job.order().input()))));
        }
        if (job.order().display()) {
            words.add(ProgramEnvironment.DISPLAY);
        }
        sandbox.handOver(ProgramEnvironment.job(words, job.env()), job.sink());
    }

    private static byte[] bytes(Optional<String> text) {
        return text.orElse("").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Lines open(Receiver records) {
        return sandbox.open(records);
    }

    @Override
    public String put(String name, byte[] text) throws IOException {
        return slot.put(name, text);
    }

    @Override
    public void remove(String name) throws IOException {
        slot.remove(name);
    }

    @Override
    public void showWrappers(Path directory) throws IOException {
        sandbox.show(directory, slot.place(WRAPPERS));
    }

    @Override
    public ServerSocketChannel listen(int port) throws IOException {
        if (slot.user().isEmpty()) {
            throw new IOException("only a server of root can listen inside a sandbox");
        }
        return NetworkNamespace.listen(sandbox.processes().first(), port);
    }

    @Override
    public boolean canPark() {
        return sandbox.freezer().canFreeze();
    }

    @Override
    public boolean park() throws InterruptedException {
        return sandbox.freezer().freeze();
    }

    @Override
    public void unpark() {
        sandbox.freezer().thaw();
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return sandbox.awaitEnd(atMost);
    }

    @Override
    public CompletableFuture<?> silence() {
        return sandbox.silence();
    }

    @Override
    public boolean hasEnded() {
        return sandbox.hasEnded();
    }

    @Override
    public boolean isDeserted() {
        return sandbox.isDeserted();
    }

    @Override
    public void interrupt() {
        sandbox.interrupt();
    }

    @Override
    public void terminate() {
        sandbox.terminate();
    }

    @Override
    public void kill() {
        sandbox.killInTime();
    }

    @Override
    public void killWithoutWaiting() {
        sandbox.strike();
    }

    @Override
    public ExitStatus status() {
        return sandbox.status();
    }

    @Override
    public long memoryKills() {
        return group.map(CgroupGroup::oomKills).orElse(0L);
    }

    @Override
    public Duration cpuTime() {
        return group.map(CgroupGroup::cpuTime).orElse(Duration.ZERO);
    }

    @Override
    public OptionalLong memoryPeakBytes() {
        return group.map(each -> OptionalLong.of(each.memoryPeakBytes()))
                .orElse(OptionalLong.empty());
    }

    @Override
    public OptionalLong memoryBytes() {
        return group.map(CgroupGroup::memoryBytes)
                .filter(bytes -> bytes > 0)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    @Override
    public Optional<HandedOver> value() {
        return sandbox.value();
    }

    @Override
    public Optional<RuntimeException> sinkFailure() {
        return sandbox.sinkFailure();
    }

    @Override
    public void end(String caller) {
        preparation.end(this, caller);
    }
}
