package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Conversation;
import dev.caisson.call.Door;
import dev.caisson.call.Question;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.Suspended;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.CallDialogue.Unanswered;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Forms of a trusted upstream go to the client that called, without what sounds like a secret.
final class CallFormsTest {
    private static final String TOKEN = "correct-horse-battery-staple";

    private final Client client = new Client();

    /// A client that answers, or is asked between two requests.
    private static final class Client implements Conversation {
        final List<Question.Form> asked = new ArrayList<>();
        ObjectNode answer = Json.object().put("action", "accept");
        boolean between;
        Optional<JsonNode> memory = Optional.empty();

        @Override
        public Map<String, JsonNode> ask(Map<String, Question> questions) {
            if (between) {
                throw new Suspended("later") {
                    private static final long serialVersionUID = 1L;
                };
            }
            var answers = new LinkedHashMap<String, JsonNode>();
            questions.forEach((key, question) -> {
                asked.add((Question.Form) question);
                answers.put(key, answer);
            });
            return answers;
        }

        @Override
        public void remember(JsonNode state) {
            memory = Optional.of(state);
        }

        @Override
        public Optional<JsonNode> remembered() {
            return memory;
        }
    }

    private CallForms forms(Conversation with) throws UpstreamMistakes {
        var settings =
                UpstreamReader.read(
                        "hub",
                        Json.parse(
                                """
                                {"url": "https://a.example", "trust": "trusted", "elicit": true,
                                 "credentials": {"kind": "header", "headers": {"A": "Bearer ${secret:t}"}}}\
                                """));
        var credentials = new CredentialValues(settings, _ -> TOKEN);
        credentials.headers();
        return new CallForms(
                Call.of(Caller.LOCAL, Door.MCP, TraceContext.fresh(), ReplyMode.INLINE, with),
                settings,
                credentials,
                false);
    }

    private static ObjectNode form(String message, String properties) {
        return (ObjectNode)
                Json.parse(
                        "{\"message\": \"%s\", \"requestedSchema\": {\"type\": \"object\", \"properties\": %s}}"
                                .formatted(message, properties));
    }

    private static final String COLOUR =
            "{\"colour\": {\"type\": \"string\", \"enum\": [\"red\", \"blue\"], \"default\": \"red\"}, \"n\": {\"type\": \"integer\"}}";

    @Test
    void a_form_is_shown_as_the_word_of_its_server_and_filled_in() throws Exception {
        client.answer.putObject("content").put("n", 3).put("other", "x");
        var answer = forms(client).fill(form("Which\\u202e one?", COLOUR));
        assertThat(client.asked)
                .singleElement()
                .satisfies(shown ->
                        assertThat(shown.message()).isEqualTo("The server hub asks: Which one?"));
        assertThat(answer)
                .isEqualTo(
                        Json.parse(
                                "{\"action\": \"accept\", \"content\": {\"colour\": \"red\", \"n\": 3}}"));
    }

    @Test
    void a_form_with_a_credential_of_the_upstream_is_shown_to_nobody() throws Exception {
        var forms = forms(client);
        assertThatThrownBy(() -> forms.fill(form("Is it " + TOKEN + "?", COLOUR)))
                .isInstanceOf(Unanswered.class);
        assertThat(client.asked).isEmpty();
    }

    @Test
    void an_answer_that_does_not_fit_the_form_is_none() throws Exception {
        client.answer.putObject("content").put("colour", "green");
        assertThat(forms(client).fill(form("Which?", COLOUR)).path("action").stringValue())
                .isEqualTo("cancel");
        client.answer = Json.object().put("action", "decline");
        assertThat(forms(client).fill(form("Which?", COLOUR)))
                .isEqualTo(Json.object().put("action", "decline"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\": {\"type\": \"string\"}}",
                "{\"apiKey\": {\"type\": \"string\"}}",
                "{\"a\": {\"type\": \"string\", \"format\": \"password\"}}",
                "{\"a\": {\"type\": \"string\", \"title\": \"Your PIN\"}}",
                "{\"a\": {\"type\": \"string\", \"description\": \"The one-time code we sent\"}}",
                "{\"a\": {\"type\": \"string\", \"enum\": [\"my token\"]}}",
                "{\"a\": {\"type\": \"object\", \"properties\": {}}}",
                "[]",
            })
    void a_form_that_sounds_like_a_secret_or_is_no_form_is_shown_to_nobody(String properties)
            throws Exception {
        var forms = forms(client);
        assertThatThrownBy(() -> forms.fill(form("Please", properties)))
                .isInstanceOf(Unanswered.class);
        assertThat(client.asked).isEmpty();
        assertThat(forms.leftOpen()).isTrue();
        assertThatThrownBy(() -> forms.fill(form("Your password, please", COLOUR)))
                .isInstanceOf(Unanswered.class);
    }

    @Test
    void a_form_has_a_size() throws Exception {
        var forms = forms(client);
        var most = Json.object();
        for (var i = 0; i < FormCheck.MEMBERS_MAX; i++) {
            most.putObject("m" + i).put("type", "boolean");
        }
        assertThat(forms.fill(form("Which?", Json.text(most))).path("action").stringValue())
                .isEqualTo("accept");
        most.putObject("more").put("type", "boolean");
        assertThatThrownBy(() -> forms.fill(form("Which?", Json.text(most))))
                .isInstanceOf(Unanswered.class);
        assertThatThrownBy(() -> forms.fill(form("x".repeat(FormCheck.BYTES_MAX), COLOUR)))
                .isInstanceOf(Unanswered.class);
    }

    private static ObjectNode requests(ObjectNode form) {
        var requests = Json.object();
        requests.putObject("theirs").put("method", "elicitation/create").set("params", form);
        return requests;
    }

    @Test
    void a_client_that_is_asked_between_requests_goes_on_with_the_state() throws Exception {
        client.between = true;
        var requests = requests(form("Which?", COLOUR));
        var first = forms(client);
        assertThatThrownBy(() -> first.fill(requests, Optional.of("opaque")))
                .isInstanceOf(Suspended.class);
        client.between = false;
        var round = forms(client).continued().orElseThrow();
        assertThat(round.state()).contains("opaque");
        assertThat(round.responses().at("/theirs/content/colour").stringValue()).isEqualTo("red");

        client.between = true;
        var waiting = forms(client);
        assertThatThrownBy(() -> waiting.fill(form("Which?", COLOUR)))
                .as("an upstream that waits within its answer cannot wait for another request")
                .isInstanceOf(Unanswered.class);
    }

    @Test
    void a_state_that_is_too_long_or_holds_a_credential_goes_through_no_client() throws Exception {
        var requests = requests(form("Which?", COLOUR));
        var most = "s".repeat(CallForms.STATE_LENGTH_MAX);
        assertThat(forms(client).fill(requests, Optional.of(most)).state()).contains(most);
        for (var state : List.of(most + "s", "x" + TOKEN)) {
            var forms = forms(client);
            assertThatThrownBy(() -> forms.fill(requests, Optional.of(state)))
                    .isInstanceOf(Unanswered.class);
        }
    }

    @Test
    void more_forms_than_the_limit_and_other_questions_are_left_open() throws Exception {
        var many = Json.object();
        for (var i = 0; i < CallForms.FORMS_MAX; i++) {
            many.set("f" + i, requests(form("Which?", COLOUR)).path("theirs"));
        }
        assertThat(forms(client).fill(many, Optional.empty()).responses()).hasSize(8);
        many.set("more", requests(form("Which?", COLOUR)).path("theirs"));
        var sampling = Json.object();
        sampling.putObject("s").put("method", "sampling/createMessage").putObject("params");
        for (var wrong : List.of(many, sampling)) {
            var forms = forms(client);
            assertThatThrownBy(() -> forms.fill(wrong, Optional.empty()))
                    .isInstanceOf(Unanswered.class);
        }
    }

    @Test
    void a_client_that_cannot_be_asked_is_not() throws Exception {
        var forms = forms(Conversation.NONE);
        assertThatThrownBy(() -> forms.fill(form("Which?", COLOUR))).isInstanceOf(Unanswered.class);
        assertThat(forms.leftOpen()).isTrue();
    }
}
