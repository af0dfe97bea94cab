package dev.caisson.model;

import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.json.Range;
import dev.caisson.json.Sparse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Definition of a slot as its class gives it, which is also how it is stored.
@Sparse
public record SlotSpec(
        @Length(min = 1, max = 63) String name,
        @Describe("The name it had until now.") @Length(max = 63) Optional<String> renamedFrom,
        @DefaultsTo("string") Datatype type,
        @Length(max = 100) Optional<String> label,
        @Length(max = 1000) Optional<String> doc,
        Optional<JsonNode> example,
        @Length(max = 40) Optional<String> unit,
        Optional<Boolean> deprecated,
        Optional<Boolean> required,
        @Describe(
                        "A literal, {\"$\":\"now\"} or {\"$\":\"caller\"}; used when an entity is created.")
                @Named("default")
                Optional<JsonNode> preset,
        @Describe("A list, in order.") Optional<Boolean> many,
        @Range(min = 0, max = 1000) Optional<Integer> minItems,
        @Range(min = 1, max = 1000) Optional<Integer> maxItems,
        Optional<Boolean> distinct,
        @Length(max = 500) Optional<String> regex,
        Optional<JsonNode> min,
        Optional<JsonNode> max,
        Optional<LengthRule> length,
        @Describe("The words of an enum.") @Length(max = 200) Optional<List<String>> values,
        Optional<Boolean> unique,
        @Describe("The class of a ref; any if absent.") @Named("class") @Length(max = 96)
                Optional<String> target,
        @Describe("JSON Schema of a json.") Optional<ObjectNode> schema,
        @Describe("Name under which the target shows who refers to it.") @Length(max = 63)
                Optional<String> inverse,
        Optional<OnDelete> onDelete,
        @Describe("What this ref points to is left out of lists and searches.")
                Optional<Boolean> supersedes,
        @Describe("Found, compared and ordered at any number of entities.") Optional<Boolean> index,
        @Describe("Whether a search reads it; string, text and enum are read by default.")
                Optional<Boolean> search) {
    public SlotSpec {
        values = values.map(List::copyOf);
    }

    static boolean isSet(Optional<Boolean> flag) {
        return flag.orElse(false);
    }

    boolean isSearched() {
        return search.orElse(
                type == Datatype.STRING || type == Datatype.TEXT || type == Datatype.ENUM);
    }

    /// Refs, enums and unique slots have an index anyway.
    boolean isIndexed() {
        return isSet(index)
                || isSet(unique)
                || type == Datatype.REF
                || type == Datatype.ENUM
                || isSet(supersedes);
    }

    /// This declaration of a slot within another: what it does not say comes from there, and what
    /// holds there still holds.
    SlotSpec within(SlotSpec outer) {
        return new SlotSpec(
                name,
                Optional.empty(),
                type,
                label.or(outer::label),
                doc.or(outer::doc),
                example.or(outer::example),
                unit.or(outer::unit),
                deprecated.or(outer::deprecated),
                either(required, outer.required),
                preset.or(outer::preset),
                both(many, outer.many),
                Stream.concat(minItems.stream(), outer.minItems.stream()).max(Integer::compare),
                Stream.concat(maxItems.stream(), outer.maxItems.stream()).min(Integer::compare),
                either(distinct, outer.distinct),
                regex.or(outer::regex),
                min.or(outer::min),
                max.or(outer::max),
                length.or(outer::length),
                values.or(outer::values),
                either(unique, outer.unique),
                target.or(outer::target),
                schema.or(outer::schema),
                inverse.or(outer::inverse),
                onDelete.or(outer::onDelete),
                either(supersedes, outer.supersedes),
                either(index, outer.index),
                search.or(outer::search));
    }

    private static Optional<Boolean> either(Optional<Boolean> one, Optional<Boolean> other) {
        return isSet(one) ? one : other;
    }

    private static Optional<Boolean> both(Optional<Boolean> one, Optional<Boolean> other) {
        return isSet(one) ? other : one;
    }

    /// The same with another name of the class it refers to.
    SlotSpec renaming(Map<String, String> names) {
        return new SlotSpec(
                name,
                renamedFrom,
                type,
                label,
                doc,
                example,
                unit,
                deprecated,
                required,
                preset,
                many,
                minItems,
                maxItems,
                distinct,
                regex,
                min,
                max,
                length,
                values,
                unique,
                target.map(old -> names.getOrDefault(old, old)),
                schema,
                inverse,
                onDelete,
                supersedes,
                index,
                search);
    }
}
