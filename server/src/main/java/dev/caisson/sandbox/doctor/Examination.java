package dev.caisson.sandbox.doctor;

import dev.caisson.sandbox.DoctorReport;
import dev.caisson.sandbox.DoctorReport.Finding;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sink;
import dev.caisson.sandbox.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Examination of the host and of a sandbox, in three kinds of findings: which layers the server
/// proved when it started, what became of the probes of `doctor.py`, and whether programs that end
/// in an ugly way are told apart truly.
public final class Examination {
    private static final Limits LIMITS = Limits.DEFAULT.withWall(Duration.ofSeconds(60));
    private static final int OUTPUT_BYTES_MAX = 1 << 20;

    private final Runs runs;
    private final Workspace workspace;

    /// @param workspace empty, and for the doctor alone
    public Examination(Runs runs, Workspace workspace) {
        this.runs = runs;
        this.workspace = workspace;
    }

    public DoctorReport report() throws InterruptedException {
        var findings = new ArrayList<Finding>();
        findings.addAll(layers());
        int place = findings.size();
        findings.addAll(runners());
        var python = runs.runners().of(Language.PYTHON);
        if (python.isPresent()) {
            findings.addAll(probes(python.get()));
            findings.addAll(endings(python.get()));
        }
        findings.add(place, runtime());
        findings.add(place, parking());
        findings.add(place, network());
        var isolation = runs.isolation();
        return new DoctorReport(isolation.tier(), findings, isolation.acceptance());
    }

    private List<Finding> layers() {
        var isolation = runs.isolation();
        var missing = isolation.missing();
        var remedies = new LayerRemedies(HostFacts.read(), isolation.inForce().isEmpty());
        var findings = new ArrayList<Finding>();
        for (var layer : Layer.values()) {
            var why = Optional.ofNullable(missing.get(layer));
            findings.add(
                    new Finding(
                            "host",
                            layer.word() + ": " + layer.promise(),
                            why.isEmpty(),
                            why.orElse(isolation.how(layer)),
                            why.map(reason -> remedies.of(layer, reason)).orElse("")));
        }
        return findings;
    }

    private List<Finding> runners() {
        var findings = new ArrayList<Finding>();
        for (var runner : runs.runners().available()) {
            var check = runner.title() + " can be run";
            findings.add(new Finding("runners", check, true, runner.image(), ""));
        }
        for (var missing : runs.runners().missing()) {
            var check = missing.language().word() + " can be run";
            findings.add(new Finding("runners", check, false, missing.why(), missing.remedy()));
        }
        return findings;
    }

    private List<Finding> probes(Runner python) throws InterruptedException {
        try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var env =
                    Map.of(
                            "DOCTOR_PORT", Integer.toString(listening.getLocalPort()),
                            "DOCTOR_SERVER", Long.toString(ProcessHandle.current().pid()),
                            "DOCTOR_HOST", hostName(),
                            "DOCTOR_SOCKETS", runs.isolation().sockets().name(),
                            "DOCTOR_TERMINALS", Integer.toString(Limits.TERMINALS_MAX),
                            "DOCTOR_TMP_BYTES", Long.toString(LIMITS.tmpBytes()));
            var output = new Output();
            var outcome = run(python, program(), LIMITS, env, output);
            var found = output.lines();
            return List.of(DoctorProbe.values()).stream()
                    .map(probe ->
                            finding(
                                    probe,
                                    found.getOrDefault(probe.word(), "not reached: " + outcome)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the doctor cannot listen", e);
        }
    }

    /// The kernel's word: a resolver may not know it.
    private static String hostName() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }

    private Finding finding(DoctorProbe probe, String found) {
        var layer = probe.layer();
        var remedy =
                runs.isolation().missing().containsKey(layer)
                        ? "The layer %s is missing, see above.".formatted(layer.word())
                        : "Do not run untrusted code here: update the kernel and bubblewrap, and report it.";
        return new Finding(
                probe.area().word(), probe.sentence(), found.equals("held"), found, remedy);
    }

    /// What is offered to keys with a network is no wall: nothing fails where it is not.
    private Finding network() {
        var offered =
                runs.takesDoors()
                        ? "offered, by a proxy inside"
                        : "not offered: only a server of root can listen inside a sandbox";
        return new Finding("host", "network of keys: " + offered, true, "", "");
    }

    /// Looked at last: which interpreters can be forked is known when they have been booted.
    private Finding runtime() {
        return new Finding(
                "host",
                "runtime: " + runs.makers(),
                runs.isolation().refusal().isEmpty(),
                "no sandbox is made",
                "See the layers above.");
    }

    private Finding parking() {
        return new Finding(
                "host",
                "parking: runs stand still while a person decides on their calls",
                runs.canPark(),
                "no freezer in the control groups: such a run waits within its time limit",
                "Enable the control group controller freezer, or version 2, and run the server as root.");
    }

    /// Programs that must not be able to pretend or to stay.
    private List<Finding> endings(Runner python) throws InterruptedException {
        var small =
                new Limits(
                        Duration.ofSeconds(20),
                        128L << 20,
                        LIMITS.cpus(),
                        64,
                        LIMITS.openFiles(),
                        LIMITS.fileBytes(),
                        64L << 20);
        var memory = run(python, "x = []\nwhile True: x.append(b'1' * (1 << 20))", small);
        var forks =
                run(
                        python,
                        """
                        import os, sys, time
                        for count in range(1000):
                            try:
                                if os.fork() == 0:
                                    time.sleep(60)
                            except OSError:
                                sys.exit(42)
                        """,
                        small);
        var endless = run(python, "while True: pass", small.withWall(Duration.ofSeconds(1)));
        var forged = run(python, "import os; os.write(1, b'exit 0'); os._exit(7)", small);
        return List.of(
                ending(
                        "the memory limit is enforced and reported",
                        memory,
                        memory instanceof Outcome.OutOfMemory),
                ending("the process limit is enforced", forks, exited(forks, 42)),
                ending(
                        "the time limit is enforced and reported",
                        endless,
                        endless instanceof Outcome.TimedOut),
                ending("an exit code cannot be forged", forged, exited(forged, 7)));
    }

    private static boolean exited(Outcome outcome, int wanted) {
        return outcome instanceof Outcome.Exited exited && exited.code() == wanted;
    }

    private static Finding ending(String check, Outcome outcome, boolean holds) {
        return new Finding(
                DoctorProbe.Area.RESOURCES.word(),
                check,
                holds,
                outcome.toString(),
                "See which control groups this host has, above.");
    }

    private Outcome run(Runner runner, String code, Limits limits) throws InterruptedException {
        return run(runner, code, limits, Map.of(), new Output());
    }

    private Outcome run(
            Runner runner, String code, Limits limits, Map<String, String> env, Output output)
            throws InterruptedException {
        return runs.run(new Run("doctor", runner, code, limits, env, workspace, output));
    }

    private static String program() throws IOException {
        try (var text = Examination.class.getResourceAsStream("doctor.py")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Keeps the beginning of what a probe says.
    private static final class Output implements Sink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public synchronized void write(Stream stream, byte[] chunk, int offset, int length) {
            if (stream == Stream.STDOUT) {
                bytes.write(chunk, offset, Math.min(length, OUTPUT_BYTES_MAX - bytes.size()));
            }
        }

        synchronized Map<String, String> lines() {
            var lines = new HashMap<String, String>();
            bytes.toString(StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t", 2))
                    .filter(parts -> parts.length == 2)
                    .forEach(parts -> lines.put(parts[0], parts[1]));
            return lines;
        }
    }
}
