package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.executions.Begun;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionRequest;

/// Where runs are recorded.
public interface Journal {
    /// @return what the program waits for, and whoever tells of it
    Begun begin(String id, String owner, ExecutionRequest request, String code);

    /// Goes along with what is written next.
    ///
    /// @return what the answer waits for
    Durable end(String id, Completion completion);

    static Journal in(ExecutionRecords records) {
        return new Journal() {
            @Override
            public Begun begin(String id, String owner, ExecutionRequest request, String code) {
                return records.start(id, owner, request, code);
            }

            @Override
            public Durable end(String id, Completion completion) {
                return records.finish(id, completion);
            }
        };
    }
}
