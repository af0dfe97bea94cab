package dev.caisson.json;

import com.networknt.schema.OutputFormat;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.BasicDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A compiled JSON Schema: 2020-12 unless it names another draft we know. May be used by many
/// threads at once.
///
/// It may come from a stranger: nothing is ever fetched to resolve a reference, its size is
/// limited, and so is the effort of a validation. `format` only describes and is not checked.
public final class Schema {
    /// The validator compares a whole number with a whole limit as 64 bits.
    private static final String INCOMPARABLE =
            "a number with an exponent is too large to be compared with its limit";

    /// More complaints than this help nobody.
    static final int COMPLAINTS_MAX = 10;

    private final JsonNode source;
    private final com.networknt.schema.Schema compiled;

    /// Whether numbers are divided: what else is done with them costs nothing, however wide.
    private final boolean divides;

    private Schema(JsonNode source, com.networknt.schema.Schema compiled) {
        this.source = source;
        this.compiled = compiled;
        this.divides = source.findValue("multipleOf") != null;
    }

    /// @throws IllegalArgumentException with a sentence that says what is wrong with the schema
    public static Schema of(JsonNode schema) {
        SchemaScreen.check(schema);
        try {
            var compiled = registry().getSchema(schema);
            compiled.initializeValidators();
            return new Schema(schema, compiled);
        } catch (SchemaException failure) {
            throw new IllegalArgumentException(
                    "The schema cannot be used: " + failure.getMessage(), failure);
        }
    }

    /// What is wrong with a value, each naming the member; empty when it conforms.
    public List<String> complaints(JsonNode value) {
        if (divides && WideNumbers.isIn(value)) {
            return List.of(WideNumbers.SENTENCE);
        }
        try {
            return compiled.validate(new Effort(), value, OutputFormat.DEFAULT).stream()
                    .limit(COMPLAINTS_MAX)
                    .map(error -> Complaint.about(error, source))
                    .distinct()
                    .toList();
        } catch (Effort.Exceeded exceeded) {
            return List.of(exceeded.sentence());
        } catch (JacksonException incomparable) {
            return List.of(INCOMPARABLE);
        }
    }

    /// Whether a value conforms; empty when that takes more effort than there is to find out, or
    /// its numbers are too large for it.
    public Optional<Boolean> conforms(JsonNode value) {
        if (divides && WideNumbers.isIn(value)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    compiled.validate(new Effort(), value, OutputFormat.DEFAULT).isEmpty());
        } catch (Effort.Exceeded | JacksonException _) {
            return Optional.empty();
        }
    }

    /// The same dialect, in which a keyword it does not know describes and asserts nothing, as the
    /// specification has it, and is no reason for a warning.
    private static Dialect withAnnotations(Dialect dialect) {
        return Dialect.builder(dialect)
                .unknownKeywordFactory((keyword, _) -> new AnnotationKeyword(keyword))
                .build();
    }

    /// One for each schema: a registry remembers schemas by the `$id` they claim, and one schema
    /// must not stand in for another.
    private static SchemaRegistry registry() {
        var dialects =
                Stream.of(
                                Dialects.getDraft202012(),
                                Dialects.getDraft201909(),
                                Dialects.getDraft7())
                        .map(Schema::withAnnotations)
                        .toList();
        var config =
                SchemaRegistryConfig.builder()
                        .locale(Locale.ENGLISH)
                        .formatAssertionsEnabled(false)
                        .regularExpressionFactory(BoundedPattern::new)
                        .build();
        return SchemaRegistry.builder()
                .dialectRegistry(new BasicDialectRegistry(dialects))
                .defaultDialectId(SpecificationVersion.DRAFT_2020_12.getDialectId())
                .schemaRegistryConfig(config)
                .build();
    }
}
