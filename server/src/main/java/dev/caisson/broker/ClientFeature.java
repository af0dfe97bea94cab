package dev.caisson.broker;

/// Something a client may be able to do for a tool.
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
