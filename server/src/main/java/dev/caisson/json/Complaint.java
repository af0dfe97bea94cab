package dev.caisson.json;

import com.networknt.schema.Error;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// Error message for a member that fails its schema: where it is, what it must be, and what it was.
final class Complaint {
    /// How many choices are listed.
    static final int CHOICES_MAX = 20;

    private final Error error;
    private final JsonNode schema;
    private final JsonNode wanted;
    private final JsonNode found;

    private Complaint(Error error, JsonNode schema) {
        this.error = error;
        this.schema = schema;
        this.wanted = error.getSchemaNode();
        this.found = error.getInstanceNode();
    }

    /// @param schema the whole schema, for the names it knows
    static String about(Error error, JsonNode schema) {
        var complaint = new Complaint(error, schema);
        return complaint.place() + " " + complaint.must();
    }

    private String place() {
        var place = error.getInstanceLocation().toString();
        var member =
                switch (error.getKeyword()) {
                    case "required", "additionalProperties", "unevaluatedProperties" ->
                            place + "/" + error.getProperty();
                    default -> place;
                };
        return member.isEmpty() ? "the value" : ShortText.cut(member);
    }

    private String must() {
        return switch (error.getKeyword()) {
            case "required" -> "is required";
            case "additionalProperties", "unevaluatedProperties" -> "is not known" + knownNames();
            case "type" -> "must be " + typeNames() + ", was " + typeName(typeOf(found));
            case "enum" -> "must be " + choices() + was();
            case "const" -> "must be " + ShortText.value(wanted) + was();
            case "maximum" -> "must be at most " + wanted + was();
            case "minimum" -> "must be at least " + wanted + was();
            case "exclusiveMaximum" -> "must be less than " + wanted + was();
            case "exclusiveMinimum" -> "must be more than " + wanted + was();
            case "multipleOf" -> "must be a multiple of " + wanted + was();
            case "maxLength" -> "must have at most " + wanted + " characters, has " + length();
            case "minLength" -> "must have at least " + wanted + " characters, has " + length();
            case "pattern" -> pattern() + was();
            case "propertyNames" -> names();
            case "maxItems" -> "must have at most " + wanted + " items, has " + found.size();
            case "minItems" -> "must have at least " + wanted + " items, has " + found.size();
            case "uniqueItems" -> "must not have the same item twice";
            case "maxProperties" -> "must have at most " + wanted + " members, has " + found.size();
            case "minProperties" ->
                    "must have at least " + wanted + " members, has " + found.size();
            case "oneOf" -> "must fit exactly one of " + wanted.size() + " alternatives";
            case "not" -> "must not fit a schema that it fits";
            default -> ShortText.cut(error.getMessage());
        };
    }

    /// In the words that stand beside the pattern, if there are any.
    private String pattern() {
        var rule = beside("description");
        return rule.isString()
                ? "must be " + ShortText.cut(rule.stringValue())
                : "must match " + ShortText.cut(wanted.stringValue());
    }

    /// The rule for names in its own words, if it has any.
    private String names() {
        var rule = wanted.path("description");
        return rule.isString()
                ? "must have names of " + ShortText.cut(rule.stringValue())
                : ShortText.cut(error.getMessage());
    }

    /// What the schema says beside the keyword which complained.
    private JsonNode beside(String keyword) {
        var place = error.getSchemaLocation().getFragment().toString();
        return schema.at(JsonPointer.compile(place).head()).path(keyword);
    }

    private String was() {
        return ", was " + ShortText.value(found);
    }

    private int length() {
        var text = found.stringValue();
        return text.codePointCount(0, text.length());
    }

    private String choices() {
        var shown = wanted.valueStream().limit(CHOICES_MAX).map(ShortText::value);
        var all = shown.collect(Collectors.joining(", "));
        return "one of " + all + (wanted.size() > CHOICES_MAX ? ", …" : "");
    }

    /// The names that stand beside the keyword which complained.
    private String knownNames() {
        var beside = beside("properties");
        if (beside.isEmpty()) {
            return "";
        }
        var names = beside.propertyNames().stream().limit(CHOICES_MAX).map(ShortText::cut);
        return "; known are "
                + names.collect(Collectors.joining(", "))
                + (beside.size() > CHOICES_MAX ? ", …" : "");
    }

    private String typeNames() {
        var types = wanted.isArray() ? wanted.valueStream() : Stream.of(wanted);
        List<String> names =
                types.map(type -> Complaint.typeName(type.asString())).limit(CHOICES_MAX).toList();
        return String.join(" or ", names);
    }

    private static String typeOf(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> node.isIntegralNumber() ? "integer" : "number";
            case NULL, BINARY, MISSING, POJO -> "null";
        };
    }

    private static String typeName(String type) {
        return switch (type) {
            case "object" -> "an object";
            case "array" -> "a list";
            case "string" -> "a string";
            case "integer" -> "an integer";
            case "number" -> "a number";
            case "boolean" -> "a boolean";
            default -> ShortText.cut(type);
        };
    }
}
