package dev.caisson.stubs;

import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Stub of one tool, as a model reads it before it calls the tool for the first time.
public enum ToolStub {
    PYTHON {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            return PythonStub.of(StubFunction.of(tool, new HashSet<>(), shape));
        }

        @Override
        public Optional<String> example(ToolSpec tool) {
            return ExampleCall.python(StubFunction.of(tool));
        }

        @Override
        public String ofModule(List<ToolSpec> tools, Learned learned) {
            return file("__init__.pyi", tools, learned);
        }
    },
    TYPESCRIPT {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            return ScriptStub.of(StubFunction.of(tool, new HashSet<>(), shape));
        }

        @Override
        public Optional<String> example(ToolSpec tool) {
            return ExampleCall.javaScript(StubFunction.of(tool));
        }

        @Override
        public String ofModule(List<ToolSpec> tools, Learned learned) {
            return file("index.d.ts", tools, learned);
        }
    },
    /// The schemas of its arguments and results, and its hints, as JSON.
    SCHEMA {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            var text = Json.object().put("description", tool.description());
            text.set("input_schema", tool.inputSchema());
            tool.outputSchema()
                    .ifPresentOrElse(
                            schema -> text.set("output_schema", schema),
                            () ->
                                    shape.flatMap(Shapes::schema)
                                            .ifPresent(seen ->
                                                    text.set("learned_output_schema", seen)));
            var hints = tool.hints();
            text.putObject("annotations")
                    .put("readOnlyHint", hints.readOnly())
                    .put("destructiveHint", hints.destructive())
                    .put("idempotentHint", hints.idempotent())
                    .put("openWorldHint", hints.openWorld());
            return Json.text(text);
        }

        @Override
        public Optional<String> example(ToolSpec tool) {
            return ExampleCall.json(StubFunction.of(tool));
        }

        @Override
        public String ofModule(List<ToolSpec> tools, Learned learned) {
            var all = Json.object();
            tools.forEach(tool ->
                    all.set(
                            tool.effectiveOrigin().function(),
                            Json.parse(of(tool, learned.of(tool.effectiveOrigin())))));
            return Json.text(all);
        }
    };

    /// @param shape of the results that were seen, for a tool that declares none
    public abstract String of(ToolSpec tool, Optional<Shapes> shape);

    /// A call of it with the arguments that must be given; empty where it would be long.
    public abstract Optional<String> example(ToolSpec tool);

    /// What programs find of a module.
    ///
    /// @param tools of one server, one at least
    public abstract String ofModule(List<ToolSpec> tools, Learned learned);

    private static String file(String name, List<ToolSpec> tools, Learned learned) {
        var module = tools.getFirst().server();
        var path = module + "/" + name;
        return Objects.requireNonNull(Generator.module(module, tools, learned).get(path), path);
    }
}
