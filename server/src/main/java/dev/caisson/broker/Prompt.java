package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import java.util.List;
import java.util.Map;

/// Prompt: one or several messages that a client can fetch and hand to its model.
public interface Prompt {
    record Argument(String name, String description, boolean required) {}

    record Spec(String name, String title, String description, List<Argument> arguments) {
        public Spec {
            arguments = List.copyOf(arguments);
        }
    }

    enum Role {
        USER,
        ASSISTANT
    }

    record Message(Role role, Content content) {}

    record Filled(String description, List<Message> messages) {
        public Filled {
            messages = List.copyOf(messages);
        }
    }

    Spec spec();

    Filled fill(Call call, Map<String, String> arguments) throws InterruptedException;

    /// Values that could complete an argument.
    default List<String> complete(Caller caller, String argument, String prefix) {
        return List.of();
    }
}
