package dev.caisson.acceptance;

import dev.caisson.acceptance.FixtureServer.Setting;
import dev.caisson.acceptance.judge.ClientSuite;
import dev.caisson.acceptance.judge.Judges;
import dev.caisson.acceptance.judge.Suite;
import java.util.List;

/// `conformance` runs the official suite against our engine and against our client of upstreams,
/// and prints the scores; `conformance --serve PORT` only serves, without keys and on loopback, for
/// use by hand.
public final class Conformance {
    private Conformance() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(
                switch (List.of(arguments)) {
                    case List<String> none when none.isEmpty() -> judge();
                    case List<String> serve
                            when serve.size() == 2 && serve.getFirst().equals("--serve") ->
                            serve(Integer.parseInt(serve.getLast()));
                    default -> usage();
                });
    }

    private static int judge() {
        System.out.println("Installing the pinned suite, unless it is there already ...");
        var judges = Judges.ready();
        var suite = new Suite(judges);
        var clients = new ClientSuite(judges);
        try (var engine = FixtureServer.start(Setting.OPEN)) {
            boolean complete = true;
            for (var revision : Suite.REVISIONS) {
                for (var score :
                        List.of(
                                suite.judge(engine.endpoint(), revision),
                                clients.judge(revision))) {
                    System.out.print(score.table());
                    complete &= score.complete();
                }
            }
            return complete ? 0 : 1;
        }
    }

    private static int serve(int port) throws InterruptedException {
        try (var engine = FixtureServer.start(Setting.OPEN, port)) {
            System.out.println(
                    "Serving the fixture at " + engine.endpoint() + " until interrupted.");
            Thread.currentThread().join();
            return 0;
        }
    }

    private static int usage() {
        System.err.println("usage: conformance [--serve PORT]");
        return 2;
    }
}
