package dev.caisson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class RecordsTest {
    private static String json(String text) {
        return text.replace('\'', '"').replace("\n", "");
    }

    private static JsonNode parse(String text) {
        return Json.parse(json(text));
    }

    enum Colour {
        RED,
        DARK_BLUE
    }

    enum Size {
        SMALL,
        LARGE;

        public String word() {
            return name().substring(0, 1).toLowerCase(Locale.ROOT);
        }
    }

    record Point(int x, double y) {}

    record Everything(
            @Describe("What to run.") @Length(min = 1, max = 10) String code,
            @Range(min = 1, max = 3600) Optional<Integer> timeoutSeconds,
            @Range(min = 0.5) double cpus,
            long bytes,
            @DefaultsTo("true") boolean quiet,
            @DefaultsTo("dark_blue") Colour colour,
            Size size,
            @Length(max = 3) List<Point> points,
            @Length(max = 2) Map<String, String> env,
            @Matches("^[a-z]+$") @Named("threadID") Optional<String> threadId,
            Optional<JsonNode> anything,
            Optional<ObjectNode> metadata) {}

    private static final String FULL =
            """
            {'code':'print','timeout_seconds':5,'cpus':1.5,'bytes':5000000000,'quiet':false,
            'colour':'red','size':'l','points':[{'x':1,'y':2.5}],'env':{'B':'2','A':'1'},
            'threadID':'abc','anything':[1,null],'metadata':{'k':1}}
            """;

    private static final Everything FULL_RECORD =
            new Everything(
                    "print",
                    Optional.of(5),
                    1.5,
                    5_000_000_000L,
                    false,
                    Colour.RED,
                    Size.LARGE,
                    List.of(new Point(1, 2.5)),
                    Map.of("A", "1", "B", "2"),
                    Optional.of("abc"),
                    Optional.of(parse("[1,null]")),
                    Optional.of((ObjectNode) parse("{'k':1}")));

    private static final String LITTLE =
            "{'code':'x','cpus':1,'bytes':2.0,'size':'s','points':[],'env':{}}";

    @Test
    void the_schema_of_a_record_says_all_that_its_components_say_in_their_order() {
        assertThat(Json.text(SchemaOf.record(Everything.class)))
                .isEqualTo(
                        json(
                                """
                                {'type':'object','properties':{
                                'code':{'type':'string','description':'What to run.','minLength':1,'maxLength':10},
                                'timeout_seconds':{'type':'integer','minimum':1,'maximum':3600},
                                'cpus':{'type':'number','minimum':0.5},
                                'bytes':{'type':'integer'},
                                'quiet':{'type':'boolean','default':true},
                                'colour':{'type':'string','enum':['red','dark_blue'],'default':'dark_blue'},
                                'size':{'type':'string','enum':['s','l']},
                                'points':{'type':'array','items':{'type':'object','properties':{
                                'x':{'type':'integer'},'y':{'type':'number'}},
                                'required':['x','y'],'additionalProperties':false},'maxItems':3},
                                'env':{'type':'object','additionalProperties':{'type':'string'},'maxProperties':2},
                                'threadID':{'type':'string','pattern':'^[a-z]+$'},
                                'anything':{},
                                'metadata':{'type':'object'}},
                                'required':['code','cpus','bytes','size','points','env'],
                                'additionalProperties':false}
                                """));
    }

    @Test
    void a_schema_handed_out_can_be_changed_without_harm() {
        SchemaOf.record(Point.class).withObject("/properties/x").put("type", "string");
        assertThat(SchemaOf.record(Point.class).at("/properties/x/type").asString())
                .isEqualTo("integer");
    }

    @Test
    void a_record_is_read_and_written_as_its_schema_says() {
        var schema = Schema.of(SchemaOf.record(Everything.class));
        assertThat(schema.complaints(parse(FULL))).isEmpty();
        assertThat(Records.read(parse(FULL), Everything.class)).isEqualTo(FULL_RECORD);
        assertThat(Records.tree(FULL_RECORD)).isEqualTo(parse(FULL));
        assertThat(schema.complaints(Records.tree(FULL_RECORD))).isEmpty();
    }

    @Test
    void what_is_absent_is_empty_or_the_default() {
        var schema = Schema.of(SchemaOf.record(Everything.class));
        assertThat(schema.complaints(parse(LITTLE))).isEmpty();
        var read = Records.read(parse(LITTLE), Everything.class);
        assertThat(read)
                .isEqualTo(
                        new Everything(
                                "x",
                                Optional.empty(),
                                1,
                                2,
                                true,
                                Colour.DARK_BLUE,
                                Size.SMALL,
                                List.of(),
                                Map.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
        assertThat(Records.read(Records.tree(read), Everything.class)).isEqualTo(read);
    }

    record Answer(
            Optional<Integer> exitCode,
            Optional<Colour> colour,
            Optional<JsonNode> value,
            List<Part> parts,
            Map<String, Part> named) {}

    record Part(String name, @Describe("Where it is.") Optional<String> url) {}

    @Test
    void every_member_of_a_result_is_there_and_null_without_a_value() {
        var empty = new Part("a", Optional.empty());
        var answer =
                new Answer(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(empty),
                        Map.of("b", empty));

        var tree = Records.tree(answer);

        var part = "{'name':'a','url':null}";
        assertThat(tree)
                .isEqualTo(
                        parse(
                                "{'exit_code':null,'colour':null,'value':null,'parts':[%s],'named':{'b':%s}}"
                                        .formatted(part, part)));
        assertThat(Schema.of(SchemaOf.result(Answer.class)).complaints(tree)).isEmpty();
    }

    @Test
    void the_schema_of_a_result_requires_every_member_at_every_depth() {
        var part =
                "{'type':'object','properties':{'name':{'type':'string'},"
                        + "'url':{'type':['string','null'],'description':'Where it is.'}},"
                        + "'required':['name','url'],'additionalProperties':false}";
        assertThat(Json.text(SchemaOf.result(Answer.class)))
                .isEqualTo(
                        json(
                                """
                                {'type':'object','properties':{
                                'exit_code':{'type':['integer','null']},
                                'colour':{'type':['string','null'],'enum':['red','dark_blue',null]},
                                'value':{},
                                'parts':{'type':'array','items':PART},
                                'named':{'type':'object','additionalProperties':PART}},
                                'required':['exit_code','colour','value','parts','named'],
                                'additionalProperties':false}
                                """
                                        .replace("PART", part)));
    }

    @Test
    void entries_keep_their_order() {
        assertThat(Records.read(parse(FULL), Everything.class).env().keySet())
                .containsExactly("B", "A");
    }

    @Test
    void a_number_that_does_not_fit_is_named() {
        assertThatThrownBy(() -> Records.read(parse("{'x':3000000000,'y':1}"), Point.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("x is too large, was 3000000000");
        assertThatThrownBy(() -> Records.read(parse("{'x':1e99999,'y':1}"), Point.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x is too large");
    }

    record Strict(String name) {
        Strict {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name must not be blank");
            }
        }
    }

    @Test
    void what_a_constructor_says_is_heard_as_it_is() {
        assertThatThrownBy(() -> Records.read(parse("{'name':' '}"), Strict.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name must not be blank")
                .hasNoCause();
    }

    record Odd(Set<String> names) {}

    @Test
    void a_type_without_a_shape_is_refused_by_name() {
        assertThatThrownBy(() -> SchemaOf.record(Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names")
                .hasMessageContaining("Odd");
    }

    record Place(@Describe("Where it is.") String room, Optional<Integer> floor) {}

    record Held(
            String name,
            @Inline(@Inline.Text(member = "floor", value = "From the ground.")) Place place,
            boolean last) {}

    @Test
    void a_record_that_is_inlined_has_its_members_in_the_object_that_holds_it() {
        var held = new Held("lamp", new Place("hall", Optional.of(2)), true);
        var tree = Records.tree(held);

        assertThat(tree).isEqualTo(parse("{'name':'lamp','room':'hall','floor':2,'last':true}"));
        assertThat(Records.read(tree, Held.class)).isEqualTo(held);
        var schema = SchemaOf.record(Held.class);
        assertThat(schema.path("properties").propertyNames())
                .containsExactly("name", "room", "floor", "last");
        assertThat(schema.path("required")).isEqualTo(parse("['name','room','last']"));
        assertThat(schema.at("/properties/room/description").asString()).isEqualTo("Where it is.");
        assertThat(schema.at("/properties/floor/description").asString())
                .isEqualTo("From the ground.");
    }

    record Shade(@Except("red") Colour colour) {}

    @Test
    void a_word_that_is_excepted_is_not_in_the_schema() {
        assertThat(SchemaOf.result(Shade.class).at("/properties/colour/enum"))
                .isEqualTo(parse("['dark_blue']"));
    }

    record NoRecord(@Inline String name) {}

    @Test
    void only_a_record_can_be_inlined() {
        assertThatThrownBy(() -> SchemaOf.record(NoRecord.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no record");
    }
}
