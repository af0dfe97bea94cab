package dev.caisson.linux;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/// Finds files in a tree that changes meanwhile: an entry that goes while it is looked at is not
/// found, where `Files.find` fails.
public final class LiveTree {
    private LiveTree() {}

    public static List<Path> find(
            Path top, int depth, BiPredicate<Path, BasicFileAttributes> wanted) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(
                top,
                Set.of(),
                depth,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes seen) {
                        return visitFile(path, seen);
                    }

                    @Override
                    public FileVisitResult visitFile(Path path, BasicFileAttributes seen) {
                        if (wanted.test(path, seen)) {
                            found.add(path);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path path, IOException gone) {
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path path, IOException gone) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found;
    }
}
