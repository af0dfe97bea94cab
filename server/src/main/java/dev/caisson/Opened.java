package dev.caisson;

import java.util.ArrayDeque;
import java.util.Deque;

/// What has been opened so far, and how it is closed: in the opposite order, all of it, also when
/// something does not close as it should or the next thing cannot be opened.
final class Opened implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    void add(Runnable closing) {
        closings.push(closing);
    }

    @Override
    public void close() {
        if (closings.isEmpty()) {
            return;
        }
        try {
            closings.pop().run();
        } finally {
            close();
        }
    }
}
