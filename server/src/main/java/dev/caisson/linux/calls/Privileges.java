package dev.caisson.linux.calls;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Capabilities of this process: what it may do that an ordinary user's may not.
public final class Privileges {
    /// Capabilities, as the kernel numbers them.
    public enum Capability {
        SETGID(6),
        SETUID(7),
        SYS_ADMIN(21);

        private final int bit;

        Capability(int bit) {
            this.bit = bit;
        }
    }

    /// A range of ids that exists here.
    ///
    /// @param count of ids from the first on
    public record IdRange(long first, long count) {
        public boolean holds(long base, long wanted) {
            return base >= first && base + wanted <= first + count;
        }
    }

    private static final Path SELF = Path.of("/proc/self");

    private Privileges() {}

    public static boolean has(Capability... wanted) {
        long effective =
                KernelFiles.read(SELF.resolve("status"))
                        .lines()
                        .filter(line -> line.startsWith("CapEff:"))
                        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                        .findFirst()
                        .orElse(0);
        return Arrays.stream(wanted).allMatch(one -> (effective & 1L << one.bit) != 0);
    }

    /// The ids there are in this process's user namespace; all of them, outside of a container.
    public static List<IdRange> ids() {
        return KernelFiles.read(SELF.resolve("uid_map"))
                .lines()
                .map(line -> List.of(line.strip().split("\\s+", -1)))
                .map(words ->
                        new IdRange(Long.parseLong(words.get(0)), Long.parseLong(words.get(2))))
                .toList();
    }
}
