package dev.caisson.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A workspace as a hostile program leaves it.
final class HostileTree {
    private HostileTree() {}

    /// Links out, in circles and to nowhere, pipes, devices, odd names, a file that pretends to be
    /// huge.
    static void plant(Path root, Path secret) throws IOException, InterruptedException {
        Files.writeString(root.resolve("plain.txt"), "hello");
        Files.createDirectories(root.resolve("sub/dir"));
        Files.writeString(root.resolve("sub/dir/nested.csv"), "a,b");
        Files.createSymbolicLink(root.resolve("link-file"), secret);
        Files.createSymbolicLink(root.resolve("link-dir"), secret.getParent());
        Files.createSymbolicLink(root.resolve("loop"), root);
        Files.createSymbolicLink(root.resolve("sub/up"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("/nowhere"));
        Files.createSymbolicLink(root.resolve("self"), Path.of("self"));
        Files.writeString(root.resolve("two\nlines"), "x");
        Files.writeString(root.resolve("-rf *"), "x");
        shell(root, "mkfifo pipe; printf x > \"$(printf 'bad\\377name')\"");
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
        }
        try (var sparse = new RandomAccessFile(root.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
    }

    static void devices(Path root) throws IOException, InterruptedException {
        shell(root, "mknod null-device c 1 3 && mknod disk-device b 7 200");
    }

    static void deep(Path root, int depth) throws IOException, InterruptedException {
        shell(
                root,
                "python3 -c 'import os\nfor i in range("
                        + depth
                        + "):\n os.mkdir(\"d\"); os.chdir(\"d\")\nopen(\"f\",\"w\")'");
    }

    private static void shell(Path directory, String script)
            throws IOException, InterruptedException {
        run(directory, "bash", "-c", script);
    }

    static String run(Path directory, String... command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
        return output;
    }
}
