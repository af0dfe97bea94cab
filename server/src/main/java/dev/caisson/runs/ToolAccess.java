package dev.caisson.runs;

import dev.caisson.sandbox.HostDoor;
import java.util.List;

/// Access to tools that a request gives to its program.
@FunctionalInterface
public interface ToolAccess {
    /// None: the program finds no way to them.
    ToolAccess NONE = _ -> Opened.NONE;

    /// Opens it for one run.
    ///
    /// @param executionId of the run
    Opened open(String executionId);

    /// The access of one run.
    interface Opened extends AutoCloseable {
        Opened NONE =
                new Opened() {
                    @Override
                    public HostDoor door() {
                        return HostDoor.CLOSED;
                    }

                    @Override
                    public ToolFigures figures() {
                        return ToolFigures.NONE;
                    }

                    @Override
                    public void settle() {}
                };

        HostDoor door();

        /// What was called until now.
        ToolFigures figures();

        /// The approvals of people that the program waits for, if it waits for nothing else.
        default List<String> awaited() {
            return List.of();
        }

        /// Cancels the calls that are under way, and waits until each is recorded. There are no
        /// more.
        void settle();

        @Override
        default void close() {
            settle();
        }
    }
}
