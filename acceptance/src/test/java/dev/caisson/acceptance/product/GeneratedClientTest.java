package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.judge.Judges;
import dev.caisson.acceptance.wire.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client made by a stranger's generator from our document compiles, and runs a program.
@Tag("root")
@Tag("browser")
final class GeneratedClientTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String DOCUMENT = "openapi.json";
    private static final String PROGRAM = "rest.ts";

    @Test
    void a_client_generated_from_the_document_compiles_and_runs_a_program(@TempDir Path data)
            throws IOException {
        var judges = Judges.ready();
        try (var product = Product.start(data)) {
            var project = judges.project("rest", PROGRAM);
            Files.write(project.resolve(DOCUMENT), document(product));

            judges.packaged(
                            "openapi-typescript/bin/cli.js",
                            List.of(
                                    project.resolve(DOCUMENT).toString(),
                                    "--default-non-nullable=false",
                                    "--output",
                                    project.resolve("generated.d.ts").toString()),
                            LIMIT)
                    .expect(0);
            judges.packaged("typescript/bin/tsc", compiling(project), LIMIT).expect(0);
            var said =
                    judges.run(
                                    project.resolve(PROGRAM),
                                    List.of("http://127.0.0.1:" + product.port(), product.key()),
                                    LIMIT)
                            .expect(0);

            assertThat(said.out().strip())
                    .isEqualTo(
                            "{\"name\":\"admin\",\"stdout\":\"from a generated client\\n\","
                                    + "\"exitCode\":5,\"found\":\"failed\",\"listed\":1,"
                                    + "\"refused\":\"validation_error\"}");
        }
    }

    private static List<String> compiling(Path project) {
        return List.of(
                "--noEmit",
                "--strict",
                "--target",
                "es2022",
                "--module",
                "nodenext",
                "--lib",
                "es2023,dom,dom.iterable",
                project.resolve(PROGRAM).toString());
    }

    private static byte[] document(Product product) throws IOException {
        try (var connection = new Connection(product.port())) {
            connection.send(
                    Connection.request(
                            "GET /v1/openapi.json",
                            Map.of("Host", "127.0.0.1:" + product.port()),
                            new byte[0]));
            var body = connection.answer().body().readAllBytes();
            assertThat(Json.parse(body).path("openapi").stringValue()).isEqualTo("3.1.0");
            return body;
        }
    }
}
