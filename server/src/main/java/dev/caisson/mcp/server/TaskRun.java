package dev.caisson.mcp.server;

import dev.caisson.call.Question;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Run of a call that goes on as a task: the questions it waits for, and the way to stop it.
final class TaskRun {
    private final String id;
    private final Tasks tasks;
    private final Cancellation work;
    private final Map<String, Question> open = new LinkedHashMap<>();
    private final Map<String, JsonNode> answered = new LinkedHashMap<>();
    private int asked;

    TaskRun(String id, Tasks tasks, Cancellation work) {
        this.id = id;
        this.tasks = tasks;
        this.work = work;
    }

    String id() {
        return id;
    }

    void cancel() {
        work.cancel();
    }

    /// Parks the task until every question is answered.
    Map<String, JsonNode> ask(Map<String, Question> questions) throws InterruptedException {
        Map<String, String> keys;
        synchronized (this) {
            keys = mint(questions);
        }
        tasks.park(this, openQuestions());
        synchronized (this) {
            while (!open.isEmpty()) {
                wait();
            }
        }
        tasks.resume(this);
        var answers = new LinkedHashMap<String, JsonNode>();
        keys.forEach((key, minted) ->
                Optional.ofNullable(answered.get(minted))
                        .ifPresent(answer -> answers.put(key, answer)));
        return answers;
    }

    /// Keys are used once in the life of a task, so a late answer cannot meet a later question.
    private Map<String, String> mint(Map<String, Question> questions) {
        asked++;
        var keys = new LinkedHashMap<String, String>();
        questions.forEach((key, question) -> {
            var minted = asked == 1 ? key : key + "-" + asked;
            keys.put(key, minted);
            open.put(minted, question);
        });
        return keys;
    }

    private synchronized Map<String, Question> openQuestions() {
        return new LinkedHashMap<>(open);
    }

    synchronized Set<String> openKeys() {
        return Set.copyOf(open.keySet());
    }

    /// Takes the answers that fit an open question. Others are ignored.
    synchronized void update(ObjectNode responses) {
        for (var response : responses.properties()) {
            var question = open.get(response.getKey());
            if (question != null
                    && QuestionJson.complaint(question, response.getValue()).isEmpty()) {
                open.remove(response.getKey());
                answered.put(response.getKey(), response.getValue());
            }
        }
        notifyAll();
    }
}
