package dev.caisson.call;

/// Feature of a client that a tool may need.
public enum ClientFeature {
    /// Ask the user to fill in a form.
    ELICITATION,
    /// Ask the user to visit a page.
    ELICITATION_URL,
    /// Ask the client's model for a completion.
    SAMPLING,
    /// Name the directories it works in.
    ROOTS,
    /// Follow a call that goes on as a task.
    TASKS
}
