package dev.caisson.call;

/// Wait of a call for the decision of a person. What can stand still meanwhile does.
@FunctionalInterface
public interface PersonWait {
    /// Nothing stands still.
    PersonWait NONE = () -> {};

    /// It is over: returns when everything goes on.
    ///
    /// @throws InterruptedException when the call is ended instead
    void over() throws InterruptedException;
}
