package dev.caisson.stubs;

import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Json;
import java.util.HashSet;
import java.util.Optional;

/// Stub of one tool, as a model reads it before it calls the tool for the first time.
public enum ToolStub {
    PYTHON {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            return PythonStub.of(StubFunction.of(tool, new HashSet<>(), shape));
        }
    },
    TYPESCRIPT {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            return ScriptStub.of(StubFunction.of(tool, new HashSet<>(), shape));
        }
    },
    /// The schemas of its arguments and results, as JSON.
    SCHEMA {
        @Override
        public String of(ToolSpec tool, Optional<Shapes> shape) {
            var text = Json.object().put("description", tool.description());
            text.set("input_schema", tool.inputSchema());
            tool.outputSchema().ifPresent(schema -> text.set("output_schema", schema));
            return Json.text(text);
        }
    };

    /// @param shape of the results that were seen, for a tool that declares none
    public abstract String of(ToolSpec tool, Optional<Shapes> shape);
}
