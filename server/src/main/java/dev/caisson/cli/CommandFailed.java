package dev.caisson.cli;

/// Failure of a command for a reason that a person can act on. Only the sentence is shown.
public final class CommandFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandFailed(String sentence) {
        super(sentence, null, false, false);
    }
}
