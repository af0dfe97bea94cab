package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;

/// Start of a child process with descriptors of ours, which Java's own way does not have. Its
/// parent is, to the kernel, the thread that starts it; whoever started it reaps it, see [Reaper].
public final class ChildProcess {
    private ChildProcess() {}

    /// @param program its path, which is also the first of its words
    /// @param descriptors by the numbers they have there; the child must close all others itself
    public static PidFd start(
            String program, List<String> words, Map<Integer, Descriptor> descriptors) {
        try (var arena = Arena.ofConfined()) {
            var pairs =
                    descriptors.entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .map(each -> new int[] {each.getValue().number(), each.getKey()})
                            .toList();
            return PidFd.open(new Kernel(arena).spawn(program, words, pairs));
        }
    }
}
