package dev.caisson.linux.mount;

import dev.caisson.linux.TmpfsSize;
import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.NumberedCalls;
import dev.caisson.linux.calls.PathCalls;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Factory of file systems that are mounted nowhere.
public final class DetachedFileSystems {
    private static final int FSOPEN_CLOEXEC = 1;
    private static final int FSMOUNT_CLOEXEC = 1;
    private static final int SET_FLAG = 0;
    private static final int SET_STRING = 1;
    private static final int CREATE = 6;
    private static final int RECONFIGURE = 7;
    private static final long DIRECTORY_BYTES = 64 << 10;
    private static final long NOSUID = 0x2;
    private static final long NODEV = 0x4;
    private static final long NOATIME = 0x10;

    private DetachedFileSystems() {}

    /// One that every user of the sandbox may write to, as `/tmp` is.
    public static int tmpfs(Kernel kernel, TmpfsSize size) {
        return tmpfs(kernel, size, "1777");
    }

    /// @param mode of its top directory, in octal
    public static int tmpfs(Kernel kernel, TmpfsSize size, String mode) {
        var owner = Integer.toString(size.owner());
        return mount(
                kernel,
                "tmpfs",
                Map.of(
                        "source",
                        "tmpfs",
                        "size",
                        Long.toString(size.bytes()),
                        "nr_inodes",
                        Long.toString(size.files()),
                        "mode",
                        mode,
                        "uid",
                        owner,
                        "gid",
                        owner));
    }

    /// A file system in memory with these directories and nothing else.
    public static int directories(Kernel kernel, List<String> names) {
        int tmpfs = tmpfs(kernel, new TmpfsSize(DIRECTORY_BYTES, names.size() + 2L, 0));
        try (var calls = new PathCalls()) {
            for (var name : names) {
                calls.makeDirectory(tmpfs, name.getBytes(StandardCharsets.UTF_8), 0755);
            }
            return tmpfs;
        } catch (RuntimeException failed) {
            kernel.closeNow(tmpfs);
            throw failed;
        }
    }

    public static int ext4(Kernel kernel, String device) {
        return mount(
                kernel, "ext4", Map.of("source", device, "discard", "", "errors", "remount-ro"));
    }

    /// Gives a file system of pseudo-terminals an end. The kernel takes what is not said for its
    /// defaults, so the modes that programs need are said again.
    ///
    /// @param context of the file system, as `fspick` gives it
    public static void limitTerminals(Kernel kernel, int context, int most) {
        configure(kernel, context, "mode", "620");
        configure(kernel, context, "ptmxmode", "666");
        configure(kernel, context, "max", Integer.toString(most));
        long changed = kernel.syscallNow(NumberedCalls.FSCONFIG, context, RECONFIGURE, 0, 0, 0);
        Kernel.check("fsconfig", changed, "the limit on pseudo-terminals");
    }

    /// @param options an empty value makes it a flag
    private static int mount(Kernel kernel, String type, Map<String, String> options) {
        int context =
                kernel.syscall(
                        NumberedCalls.FSOPEN,
                        kernel.string(type).address(),
                        FSOPEN_CLOEXEC,
                        0,
                        0,
                        0);
        try {
            options.forEach((key, value) -> configure(kernel, context, key, value));
            long created = kernel.syscallNow(NumberedCalls.FSCONFIG, context, CREATE, 0, 0, 0);
            Kernel.check("fsconfig", created, type);
            return kernel.syscall(
                    NumberedCalls.FSMOUNT,
                    context,
                    FSMOUNT_CLOEXEC,
                    NOSUID | NODEV | NOATIME,
                    0,
                    0);
        } finally {
            kernel.closeNow(context);
        }
    }

    private static void configure(Kernel kernel, int context, String key, String value) {
        long name = kernel.string(key).address();
        long result =
                value.isEmpty()
                        ? kernel.syscallNow(NumberedCalls.FSCONFIG, context, SET_FLAG, name, 0, 0)
                        : kernel.syscallNow(
                                NumberedCalls.FSCONFIG,
                                context,
                                SET_STRING,
                                name,
                                kernel.string(value).address(),
                                0);
        Kernel.check("fsconfig", result, key);
    }
}
