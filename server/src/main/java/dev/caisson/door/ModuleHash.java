package dev.caisson.door;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Digests;
import dev.caisson.json.Json;
import dev.caisson.stubs.Generator;
import dev.caisson.stubs.Learned;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/// Hash of everything that the files of a module are made of: what its tools are, and the
/// generator's version.
final class ModuleHash {
    private ModuleHash() {}

    /// @param tools of one server, in any order
    static String of(List<ToolSpec> tools, Learned learned) {
        var digest = Digests.sha256();
        digest.update((byte) Generator.VERSION);
        tools.stream()
                .sorted(Comparator.comparing(ToolSpec::qualifiedName))
                .forEach(tool -> digest.update(Digests.sha256(inputs(tool, learned))));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static byte[] inputs(ToolSpec tool, Learned learned) {
        var origin = tool.effectiveOrigin();
        var inputs =
                Json.object()
                        .put("origin", origin.toString())
                        .put("title", tool.title())
                        .put("description", tool.description())
                        .put("hints", tool.hints().toString());
        inputs.set("input", tool.inputSchema());
        tool.outputSchema().ifPresent(schema -> inputs.set("output", schema));
        learned.of(origin).ifPresent(shape -> inputs.set("learned", shape.json()));
        return Json.text(inputs).getBytes(StandardCharsets.UTF_8);
    }
}
