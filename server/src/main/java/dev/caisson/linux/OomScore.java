package dev.caisson.linux;

import dev.caisson.linux.calls.KernelFiles;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// Score of the out-of-memory killer, by which the kernel chooses what it ends first when the
/// machine has no memory left: sandboxes before everything, and this server after what is like it.
public final class OomScore {
    /// What a sandbox writes about itself before it begins: it is ended first.
    public static final int SANDBOX = 1_000;

    private static final int SERVER = -500;
    private static final Path OWN = Path.of("/proc/self/oom_score_adj");

    private OomScore() {}

    /// Spares this process. A plain user may not, and goes on as it is.
    ///
    /// @return whether the kernel took it
    public static boolean spareServer() {
        try {
            KernelFiles.write(OWN, Integer.toString(SERVER));
            return true;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }
}
