package dev.caisson.model;

import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.json.Records;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Definition of a class as a caller gives it, which is also how it is stored. The members
/// `renamed_from`, `drop_values`, `enforce` and `delete` are about the change, and are not stored.
@Sparse
public record ClassSpec(
        @Describe("Namespace and name, such as lab/Sample.") @Length(min = 1, max = 96) String name,
        @Describe("The name it had until now.") @Length(max = 96) Optional<String> renamedFrom,
        @Length(max = 100) Optional<String> label,
        @Length(max = 2000) Optional<String> doc,
        @Length(max = 16) Optional<List<String>> parents,
        @Named("abstract") Optional<Boolean> isAbstract,
        Optional<CodecFormat> codec,
        @Describe("The slot that labels an entity.") @Length(max = 63) Optional<String> title,
        @Describe("The text slot that is the body in Markdown.") @Length(max = 63)
                Optional<String> body,
        @Describe("From headings in Markdown to text slots.") @Length(max = 50)
                Optional<Map<String, String>> sections,
        @Describe("Every change of an entity needs a reason.") Optional<Boolean> requiresReason,
        @Describe("No new entities; those there are can be read.") Optional<Boolean> retired,
        @Length(max = 100) Optional<List<SlotSpec>> slots,
        @Describe("Values of slots that are removed may go.") Optional<Boolean> dropValues,
        @Describe("new: entities that break a new rule stay until they are next written.")
                Optional<Enforcement> enforce,
        Optional<Boolean> delete) {
    private static final Schema SCHEMA = Schema.of(SchemaOf.record(ClassSpec.class));

    /// To whom a new rule applies.
    public enum Enforcement {
        ALL,
        NEW
    }

    public ClassSpec {
        parents = parents.map(List::copyOf);
        sections = sections.map(Map::copyOf);
        slots = slots.map(List::copyOf);
    }

    /// JSON Schema of what [#read] reads.
    public static ObjectNode schema() {
        return SchemaOf.record(ClassSpec.class);
    }

    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT with all that is wrong with its form
    public static ClassSpec read(JsonNode definition) {
        var name = definition.path("name").asString("");
        var complaints = SCHEMA.complaints(definition);
        if (!complaints.isEmpty()) {
            throw DefinitionMistake.refusal(
                    complaints.stream()
                            .map(each -> new DefinitionMistake(name, Optional.empty(), each))
                            .toList());
        }
        try {
            return Records.read(definition, ClassSpec.class);
        } catch (IllegalArgumentException wrong) {
            throw DefinitionMistake.refusal(
                    List.of(
                            new DefinitionMistake(
                                    name, Optional.empty(), String.valueOf(wrong.getMessage()))));
        }
    }

    /// As it is stored and shown.
    ObjectNode stored() {
        var tree = Records.tree(this);
        tree.remove(List.of("renamed_from", "drop_values", "enforce", "delete"));
        tree.path("slots").forEach(slot -> ((ObjectNode) slot).remove("renamed_from"));
        return tree;
    }

    String text() {
        return Json.text(stored());
    }

    List<String> parentList() {
        return parents.orElse(List.of());
    }

    List<SlotSpec> slotList() {
        return slots.orElse(List.of());
    }

    Optional<SlotSpec> slot(String slotName) {
        return slotList().stream().filter(slot -> slot.name().equals(slotName)).findFirst();
    }

    /// The same with other names of the classes it refers to.
    ClassSpec renaming(Map<String, String> names) {
        return new ClassSpec(
                name,
                renamedFrom,
                label,
                doc,
                parents.map(all -> all.stream().map(each -> named(names, each)).toList()),
                isAbstract,
                codec,
                title,
                body,
                sections,
                requiresReason,
                retired,
                slots.map(all -> all.stream().map(slot -> slot.renaming(names)).toList()),
                dropValues,
                enforce,
                delete);
    }

    private static String named(Map<String, String> names, String old) {
        return names.getOrDefault(old, old);
    }
}
