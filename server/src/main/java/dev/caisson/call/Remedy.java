package dev.caisson.call;

/// Remedy that a sentence names: what a caller or an operator can do by a tool, an argument or a
/// command. Rooms that do not know the tools name a remedy by its constant, and the words of the
/// product stand here.
public enum Remedy {
    /// The tool that reads stored output.
    READ_OUTPUT("output_read"),
    /// The tool that ends a session.
    RESET_SESSION("session_reset"),
    /// The tool that lists sessions.
    LIST_SESSIONS("sessions_list"),
    /// The argument that waits for a busy thread.
    WAIT_FOR_THREAD("wait_seconds"),
    /// The tool that waits for a run in the background.
    WAIT_FOR_EXECUTION("execution_wait"),
    /// The tool that ends a run.
    CANCEL_EXECUTION("execution_cancel"),
    /// The tool that lists runs.
    LIST_EXECUTIONS("executions_list"),
    /// The command that does without layers of isolation, which are named behind it.
    ACCEPT_MISSING_LAYERS(LaunchCommand.word() + " serve --set sandbox.accept_missing=");

    private final String word;

    Remedy(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
