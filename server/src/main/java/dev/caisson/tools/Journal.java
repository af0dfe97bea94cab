package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.executions.Begun;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionRequest;

/// Where runs are recorded.
public interface Journal {
    /// @param followed whether somebody hears of it before it ends
    /// @return what the program waits for
    Begun begin(String id, String owner, ExecutionRequest request, String code, boolean followed);

    /// Goes along with what is written next.
    ///
    /// @return what the answer waits for
    Durable end(String id, Completion completion);

    static Journal in(ExecutionRecords records) {
        return new Journal() {
            @Override
            public Begun begin(
                    String id,
                    String owner,
                    ExecutionRequest request,
                    String code,
                    boolean followed) {
                return records.start(id, owner, request, code, followed);
            }

            @Override
            public Durable end(String id, Completion completion) {
                return records.finish(id, completion);
            }
        };
    }
}
