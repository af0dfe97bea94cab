package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.ConsoleProject;
import dev.caisson.acceptance.judge.NodeReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The web console in a real browser, served by the product and working with it: what a person
/// does, what hostile programs try, and whether everybody can use it. The tests are in
/// `console/e2e`; pictures of the console are left in `console/target/screenshots`.
@Tag("root")
@Tag("browser")
final class ConsoleBrowserTest {
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private final ConsoleProject console = ConsoleProject.ready();

    @TestFactory
    List<DynamicTest> in_the_browser(
            @TempDir Path data,
            @TempDir Path packages,
            @TempDir(factory = UpstreamStock.Directory.class) Path upstreams)
            throws IOException, InterruptedException {
        var report = console.made("browser.json");
        var options =
                Stream.of(
                                PackageStock.in(packages).options(),
                                UpstreamStock.in(upstreams).options())
                        .flatMap(Stream::of)
                        .toArray(String[]::new);
        try (var product = Product.start(data, options)) {
            var env =
                    Map.of(
                            "CAISSON_URL",
                            "http://127.0.0.1:" + product.port(),
                            "CAISSON_KEY",
                            product.key(),
                            "CHROMIUM",
                            ConsoleProject.browser().toString(),
                            "CONSOLE_REPORT",
                            report.toString(),
                            "NO_COLOR",
                            "1",
                            "CI",
                            "true");
            var ended = console.packaged("@playwright/test/cli.js", List.of("test"), env, LIMIT);
            System.out.println(ended.out());
        }
        var tests = NodeReport.playwright(report);
        assertThat(tests).as("tests in the browser").hasSizeGreaterThan(50);
        return tests;
    }
}
