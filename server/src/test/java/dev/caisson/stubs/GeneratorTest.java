package dev.caisson.stubs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Files of a module are what they were, and parse whatever a server says.
class GeneratorTest {
    private static final String SCHEMA =
            """
            {"type": "object", "required": ["repo", "from"], "properties": {
              "repo": {"type": "string", "description": "Owner/name."},
              "from": {"type": "integer"},
              "x-mode": {"enum": ["a", "b\\"", 3, null]},
              "labels": {"type": "array", "items": {"type": "string"}},
              "who": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/user"}]},
              "extra": {"type": "object", "additionalProperties": {"type": "number"}}},
              "$defs": {"user": {"type": "object", "properties": {
                "name": {"type": "string"}, "boss": {"$ref": "#/$defs/user"}}}}}\
            """;

    @TempDir Path directory;

    private static ToolSpec tool(String name, String description, String schema) {
        var names = Objects.requireNonNull(Identifiers.assign(List.of(name), Map.of()).get(name));
        return tool(name, names, description, (ObjectNode) Json.parse(schema));
    }

    private static ToolSpec tool(
            String name, Identifiers names, String description, ObjectNode schema) {
        return ToolSpec.named("t", "T", description)
                .taking(schema)
                .from(
                        new ToolOrigin(
                                "github",
                                names.python(),
                                names.javaScript(),
                                name,
                                "3f2a91c0ffff",
                                ToolEffect.WRITE,
                                false))
                .in("up_github")
                .build();
    }

    @Test
    void the_files_of_a_module_are_these() {
        var files =
                Generator.module(
                        "github",
                        List.of(
                                tool("createIssue", "Creates an \"issue\".\nAt once.", SCHEMA),
                                tool("delete", "", "{\"type\": \"object\"}")));
        assertThat(files.keySet())
                .containsExactly(
                        "github/__init__.py",
                        "github/__init__.pyi",
                        "github/index.d.ts",
                        "github/index.js");
        assertThat(files.get("github/__init__.py"))
                .isEqualTo(
                        """
                        from caisson import wrappers
                        wrappers.fill(globals(), "github", (
                            ("create_issue", "createIssue", "3f2a91c0", "Creates an \\"issue\\"."),
                            ("delete", "delete", "3f2a91c0", ""),
                        ), {"createIssue": "create_issue"})
                        """);
        assertThat(files.get("github/index.js"))
                .isEqualTo(
                        """
                        import { wrapper } from "/run/guest/lib/node/caisson/index.mjs";
                        export const createIssue = wrapper("github", "createIssue", "3f2a91c0", "Creates an \\"issue\\".");
                        export const delete_ = wrapper("github", "delete", "3f2a91c0", "");
                        """);
        assertThat(files.get("github/__init__.pyi"))
                .isEqualTo(
                        """
                        from typing import Any, Literal, NotRequired, TypedDict


                        CreateIssueArguments = TypedDict("CreateIssueArguments", {
                            "repo": str,  # Owner/name.
                            "from": int,
                            "x-mode": NotRequired[Literal["a", "b\\"", 3, None]],
                            "labels": NotRequired[list[str]],
                            "who": NotRequired[str | CreateIssueArgumentsUser],
                            "extra": NotRequired[dict[str, float]],
                        })

                        class CreateIssueArgumentsUser(TypedDict):
                            name: NotRequired[str]
                            boss: NotRequired[CreateIssueArgumentsUser]

                        def create_issue(arguments: CreateIssueArguments = ..., /, *, repo: str = ..., from_: int = ..., labels: list[str] = ..., who: str | CreateIssueArgumentsUser = ..., extra: dict[str, float] = ...) -> Any:
                            \"""Description by github: Creates an \\"issue\\".
                            At once.\"""
                            ...


                        def delete(arguments: dict[str, Any] = ..., /) -> Any:
                            \"""Description by github:\"""
                            ...
                        """);
        assertThat(files.get("github/index.d.ts"))
                .isEqualTo(
                        """
                        export interface CreateIssueArguments {
                          repo: string; // Owner/name.
                          from: number;
                          "x-mode"?: "a" | "b\\"" | 3 | null;
                          labels?: Array<string>;
                          who?: string | CreateIssueArgumentsUser2;
                          extra?: Record<string, number>;
                        }

                        export interface CreateIssueArgumentsUser {
                          name?: string;
                          boss?: CreateIssueArgumentsUser;
                        }

                        /**
                         * Description by github: Creates an "issue".
                         * At once.
                         */
                        export function createIssue(input: CreateIssueArguments): Promise<any>;

                        /**
                         * Description by github:
                         */
                        export function delete_(input?: Record<string, any>): Promise<any>;

                        export {};
                        """
                                .replace("User2", "User"));
    }

    @Test
    void the_same_tools_make_the_same_files_in_any_order() {
        var one = tool("a", "A.", SCHEMA);
        var other = tool("b", "B.", SCHEMA);
        assertThat(Generator.module("m", List.of(one, other)))
                .isEqualTo(Generator.module("m", List.of(other, one)));
    }

    @Test
    void what_was_learned_of_results_stands_in_the_stub() {
        var shape = Shapes.NONE;
        for (int time = 0; time < 6; time++) {
            shape = shape.with(Json.parse("{\"number\": 3, \"who\": null}")).shape();
        }
        var known = Optional.of(shape);
        var stub = ToolStub.PYTHON.of(tool("get", "Gets.", "{\"type\": \"object\"}"), known);
        assertThat(stub)
                .contains("-> GetResult:", "number: int", "who: None", "learned from 6 results");
    }

    @Test
    void schemas_that_are_too_large_or_hostile_become_any() {
        var wide = Json.object().put("type", "object");
        var members = wide.putObject("properties");
        for (int number = 0; number <= TypeTable.MEMBERS_MAX; number++) {
            members.putObject("m" + number);
        }
        assertThat(stub(wide)).contains("arguments: dict[str, Any]");
        var options = Json.object().put("type", "object");
        var values = options.putObject("properties").putObject("v").putArray("enum");
        for (int number = 0; number <= TypeTable.ENUM_MAX; number++) {
            values.add("v" + number);
        }
        assertThat(stub(options)).contains("v: NotRequired[Any]");
        values.remove(0);
        assertThat(stub(options)).contains("Literal[\"v1\"");
        var deep =
                "{\"type\":\"object\",\"properties\":{\"a\":".repeat(60) + "{}" + "}}".repeat(60);
        assertThat(stub((ObjectNode) Json.parse(deep))).contains("NotRequired[Any]");
        var odd =
                "{\"type\":\"object\",\"properties\":{\"r\":{\"$ref\":\"#/nowhere/~9\"},"
                        + "\"s\":{\"$ref\":\"https://elsewhere\"},\"t\":{\"anyOf\":[]},"
                        + "\"u\":{\"type\":7},\"v\":true}}";
        assertThat(stub((ObjectNode) Json.parse(odd))).contains("r: NotRequired[Any]");
    }

    private static String stub(ObjectNode schema) {
        var tool = tool("f", new Identifiers("f", "f"), "F.", schema);
        return ToolStub.PYTHON.of(tool, Optional.empty());
    }

    /// Whatever names, texts and values a server has, its files are programs that parse.
    @Test
    void text_of_strangers_never_leaves_its_place() throws Exception {
        var random = new Random(20261118);
        var tools = new ArrayList<ToolSpec>();
        var names = new ArrayList<String>();
        for (int number = 0; number < 150; number++) {
            names.add("tool" + number);
        }
        var identifiers = Identifiers.assign(names, Map.of());
        for (var name : names) {
            tools.add(
                    tool(
                            name,
                            Objects.requireNonNull(identifiers.get(name)),
                            nasty(random),
                            nastySchema(random)));
        }
        var files = Generator.module("github", tools);
        write(files);
        run("python3", "-c", PARSE, path("__init__.py"), path("__init__.pyi"));
        assertThat(run("python3", "-c", COUNT, path("__init__.pyi")).strip()).isEqualTo("150");
        Files.writeString(directory.resolve("github/package.json"), "{\"type\":\"module\"}");
        run("node", "--check", path("index.js"));
        run(ESBUILD.toString(), "--log-level=error", path("index.d.ts"));
    }

    /// The parser of TypeScript that is part of the guests.
    private static final Path ESBUILD =
            Path.of(System.getProperty("caisson.guests", "target/guests"))
                    .resolve("node/node_modules/.bin/esbuild");

    private static final String PARSE =
            """
            import ast, sys
            for name in sys.argv[1:]:
                ast.parse(open(name, encoding="utf-8").read())
            """;
    private static final String COUNT =
            """
            import ast, sys
            tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
            known = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.ImportFrom)
            assert all(isinstance(each, known) for each in tree.body)
            print(sum(isinstance(each, ast.FunctionDef) for each in tree.body))
            """;

    private String path(String file) {
        return directory.resolve("github").resolve(file).toString();
    }

    private void write(Map<String, String> files) throws IOException {
        for (var file : files.entrySet()) {
            var path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue().getBytes(UTF_8));
        }
    }

    private String run(String... command) throws IOException, InterruptedException {
        var log = directory.resolve("log");
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        return Files.readString(log);
    }

    private static String nasty(Random random) {
        var parts =
                List.of(
                        "\"",
                        "\"\"\"",
                        "\\",
                        "'",
                        "*/",
                        "/*",
                        "//",
                        "#",
                        "\n",
                        "\r",
                        "\t",
                        "`",
                        "${x}",
                        "\u2028",
                        "\u202e",
                        "\ud83d",
                        "\ude00",
                        "\ud83d\ude00",
                        "\0",
                        "\u001b",
                        "{",
                        "}",
                        "import os",
                        "\\u",
                        "\\N{",
                        "%s",
                        "\u00e9",
                        " ",
                        "x",
                        "<!--",
                        "-->",
                        "*\\/");
        var text = new StringBuilder();
        int length = random.nextInt(14);
        for (int part = 0; part < length; part++) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.toString();
    }

    private static ObjectNode nastySchema(Random random) {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        int members = random.nextInt(6);
        for (int member = 0; member < members; member++) {
            var name =
                    random.nextBoolean()
                            ? nasty(random)
                            : List.of("from", "arguments", "a", "a_", "__x", "self")
                                    .get(random.nextInt(6));
            var value = properties.putObject(name).put("description", nasty(random));
            switch (random.nextInt(4)) {
                case 0 -> value.putArray("enum").add(nasty(random)).add(nasty(random));
                case 1 -> value.put("type", nasty(random));
                case 2 ->
                        value.set(
                                "additionalProperties", nastySchema(random).put("type", "object"));
                default -> value.put("const", nasty(random));
            }
        }
        return schema;
    }
}
