package dev.caisson.upstream;

import dev.caisson.call.Call;
import dev.caisson.call.Question;
import dev.caisson.call.Refusal;
import dev.caisson.call.Suspended;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.CallDialogue;
import dev.caisson.upstream.connection.InputRound;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Forms of an upstream during one call, which the client that called fills in: where the operator
/// says so, of one that is trusted. A client that is asked between two requests gets them, if the
/// upstream can wait so; one that calls from a program, or takes no forms, is asked nothing.
final class CallForms implements CallDialogue {
    static final int FORMS_MAX = 8;
    static final int STATE_LENGTH_MAX = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(CallForms.class);

    private static final String ROUND = "upstream_round";
    private static final String REQUESTS = "requests";
    private static final String STATE = "state";

    private final Call call;
    private final UpstreamSettings settings;
    private final CredentialValues credentials;
    private final boolean wantsTask;
    private Optional<String> task = Optional.empty();
    private int round;
    private boolean unanswered;

    /// @param wantsTask whether the tool only works as a task
    CallForms(
            Call call, UpstreamSettings settings, CredentialValues credentials, boolean wantsTask) {
        this.call = call;
        this.settings = settings;
        this.credentials = credentials;
        this.wantsTask = wantsTask;
    }

    @Override
    public boolean answers() {
        return settings.elicit();
    }

    @Override
    public boolean wantsTask() {
        return wantsTask;
    }

    @Override
    public void becameTask(String id) {
        var name = CleanText.title(credentials.striking().text(id));
        task = Optional.of(name);
        LOG.info(
                "the upstream {} works on the call {} as the task {}",
                settings.id(),
                call.notes().id(),
                name);
    }

    /// What the upstream calls the task that it made of the call.
    Optional<String> task() {
        return task;
    }

    /// Whether a form was asked for and nobody filled it in.
    boolean leftOpen() {
        return unanswered;
    }

    @Override
    public ObjectNode fill(ObjectNode form) throws Unanswered, InterruptedException {
        requireNoCredential(form);
        try {
            var key = "input-" + ++round;
            var answers = call.conversation().ask(Map.of(key, question(form)));
            return FormCheck.answer(form, given(answers, key));
        } catch (Suspended | Refusal unable) {
            // The upstream waits within its answer, and the client is not there meanwhile.
            throw open();
        }
    }

    @Override
    public InputRound fill(ObjectNode requests, Optional<String> state)
            throws Unanswered, InterruptedException {
        round++;
        requireNoCredential(requests);
        var memory = Json.object().put(ROUND, round);
        memory.set(REQUESTS, requests);
        state.ifPresent(text -> memory.put(STATE, text));
        if (requests.size() > FORMS_MAX
                || state.filter(text -> text.length() > STATE_LENGTH_MAX || isStruck(text))
                        .isPresent()) {
            throw open();
        }
        call.conversation().remember(memory);
        return answered(memory);
    }

    @Override
    public Optional<InputRound> continued() throws Unanswered, InterruptedException {
        var memory = call.conversation().remembered().filter(said -> said.has(ROUND));
        if (!answers() || memory.isEmpty()) {
            return Optional.empty();
        }
        round = memory.get().path(ROUND).intValue(0);
        return Optional.of(answered(memory.get()));
    }

    private InputRound answered(JsonNode memory) throws Unanswered, InterruptedException {
        var forms = new LinkedHashMap<String, ObjectNode>();
        var questions = new LinkedHashMap<String, Question>();
        for (var each : memory.path(REQUESTS).properties()) {
            var key = "input-%d-%d".formatted(round, forms.size() + 1);
            var form = form(each.getValue());
            forms.put(key, form);
            questions.put(key, question(form));
        }
        try {
            var answers =
                    questions.isEmpty()
                            ? Map.<String, JsonNode>of()
                            : call.conversation().ask(questions);
            var responses = Json.object();
            var keys = memory.path(REQUESTS).propertyNames().iterator();
            forms.forEach((key, form) ->
                    responses.set(keys.next(), FormCheck.answer(form, given(answers, key))));
            return new InputRound(
                    responses, Optional.ofNullable(memory.get(STATE)).map(JsonNode::stringValue));
        } catch (Refusal unable) {
            throw open();
        }
    }

    private static JsonNode given(Map<String, JsonNode> answers, String key) {
        return Optional.ofNullable(answers.get(key)).orElseGet(Json::object);
    }

    private ObjectNode form(JsonNode request) throws Unanswered {
        if (request.path("method").stringValue("").equals("elicitation/create")
                && request.path("params") instanceof ObjectNode params) {
            return params;
        }
        throw open();
    }

    private Question question(ObjectNode form) throws Unanswered {
        return FormCheck.form(settings.id(), form).orElseThrow(this::open);
    }

    private Unanswered open() {
        unanswered = true;
        return new Unanswered();
    }

    /// One that shows the upstream's own credentials is shown to nobody.
    private void requireNoCredential(ObjectNode said) throws Unanswered {
        if (!credentials.striking().tree(said).equals(said)) {
            throw open();
        }
    }

    private boolean isStruck(String text) {
        return !credentials.striking().text(text).equals(text);
    }
}
