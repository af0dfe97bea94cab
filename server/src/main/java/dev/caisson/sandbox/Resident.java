package dev.caisson.sandbox;

import java.util.Optional;
import java.util.OptionalLong;

/// Resident: an interpreter that stays in a sandbox of its own and runs one program after another
/// in the same global scope: variables, modules, working directory, environment and background
/// processes of one are there in the next.
public interface Resident extends AutoCloseable {
    /// Runs a program. Its runner and workspace are those the interpreter was settled with, and of
    /// its limits the time alone is its own: the others hold for all programs together. Its
    /// environment is added to what is there. To cancel, interrupt.
    ///
    /// As long as the interpreter lives, how a program ended is the word of what runs inside; when
    /// it dies, the kernel's counts. A program that is out of time is interrupted first, as by a
    /// key of a terminal, and only one that does not heed it takes the interpreter along.
    ///
    /// One program runs at a time.
    ///
    /// @throws dev.caisson.call.Refusal when there is no capacity
    /// @throws InterruptedException when interrupted while nothing had been started
    Outcome run(Run run) throws InterruptedException;

    /// Gives back the memory that it does not need until the next program: what runs in it
    /// meanwhile has what it uses now and some more. The next program gets it all again, and waits
    /// for it as a new run would. Not while a program runs.
    ///
    /// @return how much it holds from now on
    long rest();

    /// Whether its next program would have to wait for memory that others of its caller hold.
    ///
    /// @param resting what those hold that rest
    boolean isShortByOwn(long resting);

    /// What it uses now; empty where nobody measures it, and when it is gone.
    OptionalLong memoryBytes();

    /// How the interpreter ended; empty while it lives.
    Optional<Outcome> ended();

    /// Kills everything inside; whoever runs a program has the outcome of that. May be called by
    /// anyone at any time.
    void kill();

    /// Everything of it is gone when this returns. Not while a program runs.
    @Override
    void close();
}
