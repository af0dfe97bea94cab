package dev.caisson.tools;

import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionRequest;

/// Where runs are recorded. What a method was told is durable when it returns.
public interface Journal {
    void begin(String id, String owner, ExecutionRequest request, String code);

    void end(String id, Completion completion);

    static Journal in(ExecutionRecords records) {
        return new Journal() {
            @Override
            public void begin(String id, String owner, ExecutionRequest request, String code) {
                var _ = records.start(id, owner, request, code);
            }

            @Override
            public void end(String id, Completion completion) {
                var _ = records.finish(id, completion);
            }
        };
    }
}
