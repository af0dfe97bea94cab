package dev.caisson.cli;

/// A command could not do what was asked, for a reason a person can act on. The sentence is all
/// that is shown.
public final class CommandFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandFailed(String sentence) {
        super(sentence, null, false, false);
    }
}
