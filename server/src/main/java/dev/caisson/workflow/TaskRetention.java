package dev.caisson.workflow;

import dev.caisson.share.Budget;
import dev.caisson.store.Store;
import java.util.ArrayList;
import java.util.Map;

/// The results of tasks that have ended. One that is given up is forgotten before its time.
record TaskRetention(Store store) implements Budget.Kept {
    @Override
    public Map<String, Long> bytes() {
        return store.read(ProcessRows::taskBytes);
    }

    @Override
    public int giveUp(String owner, long bytes) {
        var total = 0;
        for (var left = bytes; left > 0; ) {
            var old =
                    store.read(handle ->
                            ProcessRows.oldestTasks(handle, owner, StoredProcesses.SWEEP_BATCH));
            if (old.isEmpty()) {
                break;
            }
            var enough = new ArrayList<ProcessRows.Old>();
            for (var one : old) {
                if (left > 0) {
                    enough.add(one);
                    left -= one.bytes();
                }
            }
            total += store.write(handle -> ProcessRows.delete(handle, enough));
        }
        return total;
    }
}
