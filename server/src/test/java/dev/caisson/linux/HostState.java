package dev.caisson.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a test must leave as it was.
///
/// @param nullDevice owner and mode of `/dev/null`
/// @param images of this kind behind loop devices
public record HostState(List<String> mounts, List<String> images, String nullDevice) {
    static final HostState UNKNOWN = new HostState(List.of(), List.of(), "");

    /// @param below only mounts and images of this directory count: others use the machine too
    static HostState now(Path below) {
        try {
            return new HostState(mounts(below), images(below), nullDeviceNow());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// The lines of mounts on or of something in a directory.
    public static List<String> mounts(Path below) {
        try (var lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return lines.filter(line -> line.contains(below.toString())).toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String nullDeviceNow() throws IOException {
        Map<String, Object> facts =
                Files.readAttributes(Path.of("/dev/null"), "unix:uid,gid,permissions");
        return "%s:%s %s".formatted(facts.get("uid"), facts.get("gid"), facts.get("permissions"));
    }

    /// Files of a directory that are behind loop devices.
    public static List<String> images(Path below) {
        try (var devices = Files.list(Path.of("/sys/block"))) {
            return devices.map(device -> device.resolve("loop/backing_file"))
                    .filter(Files::exists)
                    .map(HostState::content)
                    .filter(file -> file.startsWith(below.toString()))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
