package dev.caisson.call;

import tools.jackson.databind.node.ObjectNode;

/// Question of a tool to the client or its user while it works.
public sealed interface Question {
    ClientFeature needs();

    /// A form. Never asks for a secret.
    record Form(String message, ObjectNode schema) implements Question {
        @Override
        public ClientFeature needs() {
            return ClientFeature.ELICITATION;
        }
    }

    /// A page the user visits.
    record Visit(String message, String url) implements Question {
        @Override
        public ClientFeature needs() {
            return ClientFeature.ELICITATION_URL;
        }
    }

    /// A completion by the client's model.
    ///
    /// @param params as `sampling/createMessage` has them
    record Sample(ObjectNode params) implements Question {
        @Override
        public ClientFeature needs() {
            return ClientFeature.SAMPLING;
        }
    }

    record Roots() implements Question {
        @Override
        public ClientFeature needs() {
            return ClientFeature.ROOTS;
        }
    }
}
