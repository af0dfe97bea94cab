package dev.caisson.rest.route;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// OpenAPI 3.1 document of the routes. Everything it says about a route is what the route itself
/// goes by.
public final class OpenApi {
    private static final String VERSION = "3.1.0";
    private static final String SCHEMAS = "#/components/schemas/";

    private final String productVersion;
    private final ObjectNode document = Json.object();
    private final ObjectNode schemas = Json.object();

    private OpenApi(String productVersion) {
        this.productVersion = productVersion;
    }

    public static ObjectNode of(List<Route> routes, String productVersion) {
        return new OpenApi(productVersion).document(routes);
    }

    private ObjectNode document(List<Route> routes) {
        document.put("openapi", VERSION);
        document.putObject("info")
                .put("title", "Caisson")
                .put("summary", "Programs of AI agents, run in a sandbox and accounted for.")
                .put("version", productVersion)
                .putObject("license")
                .put("name", "Apache-2.0")
                .put("identifier", "Apache-2.0");
        document.putArray("servers")
                .addObject()
                .put("url", "/")
                .put("description", "The server that serves this document.");
        var tags = document.putArray("tags");
        for (var topic : Topic.values()) {
            tags.addObject().put("name", topic.word()).put("description", topic.summary());
        }
        document.putArray("security").addObject().putArray("key");
        var paths = document.putObject("paths");
        for (var route : routes) {
            paths.withObjectProperty(route.path().text())
                    .set(route.verb().word(), operation(route));
        }
        var components = document.putObject("components");
        components.set("schemas", schemas);
        components.set("responses", ErrorReplies.components(schemas));
        components
                .putObject("securitySchemes")
                .putObject("key")
                .put("type", "http")
                .put("scheme", "bearer");
        return document;
    }

    private ObjectNode operation(Route route) {
        var operation =
                Json.object().put("operationId", route.id()).put("summary", route.summary());
        operation.putArray("tags").add(Topic.of(route.path()).word());
        describeAccess(route.access(), operation);
        parameters(route, operation);
        var example = RouteExamples.of(route);
        route.body().ifPresent(body -> requestBody(body, example.path("request"), operation));
        var responses = operation.putObject("responses");
        route.replies().forEach(reply -> responses.set(status(reply), reply(reply, example)));
        ErrorReplies.of(route)
                .forEach(error -> responses.putObject(error.key()).put("$ref", error.reference()));
        return operation;
    }

    private static void describeAccess(RouteAccess access, ObjectNode operation) {
        if (!access.key()) {
            operation.putArray("security");
        } else if (!access.oneOf().isEmpty()) {
            operation.put("description", "Needs a key with the scope " + access.words() + ".");
        }
    }

    private static void parameters(Route route, ObjectNode operation) {
        if (route.path().names().isEmpty() && route.parameters().isEmpty()) {
            return;
        }
        var example = RouteExamples.of(route);
        var array = operation.putArray("parameters");
        for (var name : route.path().names()) {
            var entry = array.addObject().put("name", name).put("in", "path").put("required", true);
            entry.putObject("schema").put("type", "string");
            RouteExamples.add(example.path("path").path(name), entry);
        }
        for (var parameter : route.parameters()) {
            var entry =
                    array.addObject()
                            .put("name", parameter.name())
                            .put("in", parameter.place().name().toLowerCase(Locale.ROOT))
                            .put("description", parameter.summary());
            entry.set("schema", parameter.schema());
            RouteExamples.add(example.path("query").path(parameter.name()), entry);
        }
    }

    private void requestBody(JsonBody body, JsonNode example, ObjectNode operation) {
        var request = operation.putObject("requestBody").put("required", true);
        var media = request.putObject("content").putObject(Reply.JSON);
        media.set("schema", reference(body.shape()));
        RouteExamples.add(example, media);
    }

    private static String status(Reply reply) {
        return String.valueOf(reply.status());
    }

    private ObjectNode reply(Reply reply, JsonNode example) {
        var response = Json.object().put("description", reply.summary());
        if (!reply.types().isEmpty()) {
            var content = response.putObject("content");
            reply.types().forEach(type -> content.set(type, media(type, reply.shape())));
            if (example.path("status").asInt() == reply.status()) {
                var first = content.withObjectProperty(reply.types().getFirst());
                RouteExamples.add(example.path("response"), first);
            }
        }
        return response;
    }

    /// Only JSON has the shape; the others are streams of text, or bytes, which have none.
    private ObjectNode media(String type, Optional<BodyShape> shape) {
        var media = Json.object();
        if (type.equals(Reply.JSON)) {
            shape.ifPresent(each -> media.set("schema", reference(each)));
        } else if (shape.isPresent()) {
            media.putObject("schema").put("type", "string");
        }
        return media;
    }

    private ObjectNode reference(BodyShape shape) {
        schemas.set(shape.name(), shape.schema().get());
        return Json.object().put("$ref", SCHEMAS + shape.name());
    }
}
