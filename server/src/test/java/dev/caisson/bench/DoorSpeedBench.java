package dev.caisson.bench;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Consent;
import dev.caisson.broker.Recording;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.KeyedDigest;
import dev.caisson.door.DoorSettings;
import dev.caisson.door.Doors;
import dev.caisson.json.Json;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerRecorder;
import dev.caisson.ledger.UpstreamCallLimits;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.policy.Decision;
import dev.caisson.policy.RulePolicy;
import dev.caisson.policy.Rules;
import dev.caisson.redact.Redaction;
import dev.caisson.runs.ToolAccess;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.sandbox.Workspace;
import dev.caisson.store.Journal;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// `bench door [--json]`: programs in sandboxes call a tool that does nothing, through the broker
/// with its schema, the policy, the ledger and the record of calls as in the product, with 1, 8 and
/// 64 calls under way.
public final class DoorSpeedBench {
    private static final String PYTHON =
            """
            import asyncio, json, time
            from caisson.servers import hub

            def row(flight, times, wall):
                times.sort()
                return {"in_flight": flight, "p50_us": round(times[len(times) // 2] * 1e6),
                    "p99_us": round(times[len(times) * 99 // 100] * 1e6), "calls_per_second": round(len(times) / wall)}

            def alone(count):
                times = []
                begun = time.perf_counter()
                for _ in range(count):
                    at = time.perf_counter()
                    hub.noop()
                    times.append(time.perf_counter() - at)
                return row(1, times, time.perf_counter() - begun)

            async def together(flight, count):
                times = []
                async def worker():
                    for _ in range(count // flight):
                        at = time.perf_counter()
                        await hub.noop()
                        times.append(time.perf_counter() - at)
                begun = time.perf_counter()
                await asyncio.gather(*[worker() for _ in range(flight)])
                return row(flight, times, time.perf_counter() - begun)

            alone(1500)
            print(json.dumps([alone(2000), asyncio.run(together(8, 2000)), asyncio.run(together(64, 3200))]))
            """;

    private static final String NODE =
            """
            import { servers } from 'caisson'
            const { hub } = servers
            async function together(flight, count) {
              const times = []
              const begun = performance.now()
              await Promise.all(Array.from({ length: flight }, async () => {
                for (let n = 0; n < count / flight; n++) {
                  const at = performance.now()
                  await hub.noop()
                  times.push(performance.now() - at)
                }
              }))
              const wall = performance.now() - begun
              times.sort((a, b) => a - b)
              return { in_flight: flight, p50_us: Math.round(times[times.length >> 1] * 1e3),
                p99_us: Math.round(times[Math.floor(times.length * 0.99)] * 1e3),
                calls_per_second: Math.round(times.length / wall * 1e3) }
            }
            await together(1, 1500)
            console.log(JSON.stringify([await together(1, 2000), await together(8, 2000), await together(64, 3200)]))
            """;

    private DoorSpeedBench() {}

    static void main(String[] arguments) throws Exception {
        var guests =
                Path.of(System.getProperty("caisson.repository", ".."), "server/target/guests");
        var report = run(guests.toAbsolutePath().normalize());
        System.out.print(
                List.of(arguments).contains("--json") ? Json.pretty(report) + "\n" : table(report));
    }

    private static ObjectNode run(Path guests) throws Exception {
        var root = Files.createTempDirectory("caisson-door-");
        Files.setAttribute(root, "unix:mode", 0755);
        var report = Json.object();
        try (var store = Store.open(root.resolve("caisson.db"));
                var journal = store.journal(root, List.of(Ledger.journaled()));
                var sandboxes = Sandboxes.open(SandboxSettings.of(root.resolve("run"), guests))) {
            var broker = broker(store, journal);
            var doors =
                    new Doors(
                            () -> broker,
                            sandboxes::takesDoors,
                            DoorSettings.DEFAULT,
                            root.resolve("wrappers"));
            for (var language : List.of(Language.PYTHON, Language.NODE)) {
                var call = FakeCall.by(Caller.LOCAL);
                try (var tools = doors.of(call, Optional.empty()).open("exe_bench")) {
                    var said =
                            said(
                                    sandboxes,
                                    root,
                                    language,
                                    language == Language.NODE ? NODE : PYTHON,
                                    tools);
                    report.set(language.word(), Json.parse(said));
                }
            }
            doors.close(Duration.ofSeconds(1));
        }
        return report;
    }

    /// With all that records and judges a call of another server's tool in the product.
    private static Broker broker(Store store, Journal journal) {
        var clock = Clock.systemUTC();
        var digest = new KeyedDigest(new byte[] {1});
        var policy = new RulePolicy(new Rules(store, clock, Decision.DENY), store, clock);
        var calls =
                new UpstreamCalls(
                        new LedgerRecorder(new Ledger(store, journal), digest, false),
                        store,
                        digest,
                        clock,
                        new UpstreamCallLimits(true, true, 1L << 30),
                        (_, _, arguments) -> arguments);
        var changes = new Changes();
        return new Broker(
                Broker.Sources.ofTools(new ToolList(List.of(noop()), changes)),
                new CallRules(policy, Consent.NOBODY),
                changes,
                new Recording(policy.counting(calls), new Metrics(), clock),
                Redaction.standard());
    }

    private static String said(
            Sandboxes sandboxes, Path root, Language language, String code, ToolAccess.Opened tools)
            throws Exception {
        var place = Files.createDirectory(root.resolve(language.word()));
        Files.setAttribute(place, "unix:uid", Workspace.OWNER);
        var output = new ByteArrayOutputStream();
        var run =
                new Run(
                        "bench",
                        sandboxes.runners().of(language).orElseThrow(),
                        code,
                        Limits.DEFAULT.withWall(Duration.ofMinutes(3)),
                        Map.of(),
                        new Workspace.Directory(place),
                        (_, bytes, offset, length) -> output.write(bytes, offset, length));
        sandboxes.run(run.through(tools.door()));
        return output.toString(StandardCharsets.UTF_8);
    }

    private static Tool noop() {
        var spec =
                ToolSpec.named("hub__noop", "Nothing", "Does nothing.")
                        .taking(ToolSpec.noArguments())
                        .hinted(ToolSpec.Hints.READS)
                        .from(
                                new ToolOrigin(
                                        "hub", "noop", "noop", "noop", "", ToolEffect.READ, true))
                        .build();
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) {
                return ToolResult.text("");
            }
        };
    }

    private static String table(ObjectNode report) {
        var text = new StringBuilder("language  in flight  p50 us  p99 us  calls/s\n");
        report.forEachEntry((language, rows) ->
                rows.forEach(row ->
                        text.append(
                                "%-8s  %9d  %6d  %6d  %7d%n"
                                        .formatted(
                                                language,
                                                row.get("in_flight").intValue(),
                                                row.get("p50_us").intValue(),
                                                row.get("p99_us").intValue(),
                                                row.get("calls_per_second").intValue()))));
        return text.toString();
    }
}
