package dev.caisson.backup;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.HostTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.regex.Pattern;

/// A workspace in a [Backup] that is a plain directory. What is in it is a program's, or that of
/// whoever made the backup.
record BackupTar(Path file) {
    private static final String BELOW = "\\./" + DirectoryWorkspaces.FILES + "/";

    /// A line of the long list: its kind, permissions, owner, size or device, date and time, name.
    private static final Pattern MEMBER =
            Pattern.compile("[-dlhps]\\S* +\\S+ +\\S+ +\\S+ +\\S+ " + BELOW + ".*");

    private static final Pattern NAME = Pattern.compile(BELOW + "(?!(?:.*/)?\\.\\.(?:/|$)).*");

    /// Whether all of it is below the one directory that belongs there, and nothing is a device.
    boolean isWorkspace() throws IOException, InterruptedException {
        return all(MEMBER, "--verbose") && all(NAME, "--show-stored-names");
    }

    private boolean all(Pattern pattern, String option) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(
                                "tar",
                                "--list",
                                option,
                                "--numeric-owner",
                                "--quoting-style=escape",
                                "--file=" + file)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            process.getOutputStream().close();
            try (var lines = process.inputReader(StandardCharsets.ISO_8859_1)) {
                return allMatch(pattern, lines) && process.waitFor() == 0;
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean allMatch(Pattern pattern, BufferedReader lines) throws IOException {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!pattern.matcher(line).matches()) {
                return false;
            }
        }
        return true;
    }

    /// Into a new directory, where nothing else is ever written: from there the workspace comes to
    /// its place in one step.
    ///
    /// @return false when it holds no workspace, or cannot be unpacked
    boolean extract(Path directory) throws IOException, InterruptedException {
        var aside = HashedNames.privateDirectory(directory.resolve(".part-" + UUID.randomUUID()));
        try {
            int status =
                    HostTool.status(
                            "tar",
                            "--extract",
                            "--preserve-permissions",
                            "--xattrs",
                            "--numeric-owner",
                            "--file=" + file,
                            "--directory=" + aside);
            var files = aside.resolve(DirectoryWorkspaces.FILES);
            if (status != 0 || !Files.isDirectory(files, NOFOLLOW_LINKS)) {
                return false;
            }
            Files.move(
                    files,
                    directory.resolve(DirectoryWorkspaces.FILES),
                    StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Erasure.erase(aside);
        }
    }
}
