package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The document of REST against the server that gives it, and against the one in the repository.
class OpenApiTest extends ProductTestCase {
    private static final String IN_THE_REPOSITORY = "docs/openapi.json";
    private static final Path AS_IT_IS = Path.of("target/openapi.json");
    private static final List<String> METHODS = List.of("get", "post", "put", "delete");

    private JsonNode document;

    OpenApiTest() {
        super("auth.enabled=false");
    }

    @BeforeAll
    void read() throws Exception {
        document = Json.parse(send("GET", "/v1/openapi.json").body());
    }

    /// A change of the document is a change of the interface, and is seen by whoever reviews it.
    @Test
    void the_document_in_the_repository_is_the_one_that_is_served() throws Exception {
        var now = Json.pretty(document) + "\n";
        Files.writeString(AS_IT_IS, now);

        assertThat(Repository.text(IN_THE_REPOSITORY))
                .as("if this change is wanted: cp server/%s %s", AS_IT_IS, IN_THE_REPOSITORY)
                .isEqualTo(now);
    }

    @Test
    void every_path_of_it_takes_the_methods_it_names_and_no_others() throws Exception {
        var seen = 0;
        for (var path : document.path("paths").properties()) {
            var named = new TreeSet<String>();
            path.getValue().propertyNames().forEach(named::add);
            var address = path.getKey().replaceAll("\\{[^}]+}", "none");
            for (var method : METHODS) {
                if (!named.contains(method)) {
                    var answer = send(method, address);
                    assertThat(answer.statusCode()).as(method + " " + address).isEqualTo(405);
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThanOrEqualTo(9);
    }

    @Test
    void every_reference_in_it_leads_somewhere() {
        var references = document.findValuesAsString("$ref");

        assertThat(references).hasSizeGreaterThan(10);
        for (var reference : references) {
            assertThat(document.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
        }
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(product.server.address() + path))
                        .method(method.toUpperCase(Locale.ROOT), BodyPublishers.noBody())
                        .build();
        return product.http.send(request, BodyHandlers.ofString());
    }
}
