package dev.caisson.linux;

/// Exit status of a process, in the kernel's words. A program that exits with 137 and one that was
/// killed by signal 9 are different things.
public sealed interface ExitStatus {
    record Exited(int code) implements ExitStatus {}

    record Signalled(int signal, boolean coreDumped) implements ExitStatus {}

    /// @param wait as `wait(2)` packs it
    static ExitStatus ofWaitStatus(int wait) {
        int signal = wait & 0x7f;
        return signal == 0
                ? new Exited(wait >> 8 & 0xff)
                : new Signalled(signal, (wait & 0x80) != 0);
    }

    /// What a shell would say: 128 more than the signal for a process that was killed.
    default int shellCode() {
        return switch (this) {
            case Exited(int code) -> code;
            case Signalled(int signal, boolean _) -> 128 + signal;
        };
    }
}
