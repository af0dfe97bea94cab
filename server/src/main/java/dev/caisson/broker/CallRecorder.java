package dev.caisson.broker;

import dev.caisson.call.Call;

/// Recorder of calls: gets every call when it is over, also a refused one, before its caller gets
/// the answer.
@FunctionalInterface
public interface CallRecorder {
    /// When it returns, the record of a call that may have changed something is durable, and that
    /// of any other will be in a moment. What it throws is thrown to the caller in place of the
    /// answer.
    void record(RecordedCall call);

    /// The call of a tool passed all checks, and the tool is called when this returns. What it
    /// throws is thrown in place of calling it.
    ///
    /// @param request with the arguments as the tool gets them
    default void begins(Call call, ActionRequest request) {}
}
