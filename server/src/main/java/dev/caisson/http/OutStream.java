package dev.caisson.http;

import dev.caisson.call.StreamEnd;
import java.time.Duration;
import java.util.function.Function;

/// An open answer. Writing never blocks and costs no thread; what a slow reader has not taken yet
/// is held up to a limit of bytes, beyond which the stream is closed and its close listeners are
/// told.
public interface OutStream {
    /// @return false when the stream is closed, in which case the bytes are gone
    boolean write(byte[] bytes);

    /// Waits until the reader has taken so much that no more than these bytes are held, for whoever
    /// can wait instead of being closed.
    ///
    /// @return false when the stream is over
    boolean awaitHeld(int bytesMax) throws InterruptedException;

    /// As [#awaitHeld(int)], but gives the connection up when the reader takes longer.
    boolean awaitHeld(int bytesMax, Duration atMost) throws InterruptedException;

    /// Ends the answer properly once everything written has been sent. Idempotent.
    void close();

    /// Ends the answer as [#close()] does, after its last word, if it has one.
    void closeFor(StreamEnd why);

    /// What a reader is told last when the stream is ended before its time.
    ///
    /// @param words the bytes to be written, in the form of this stream
    void lastWord(Function<StreamEnd, byte[]> words);

    /// From now on only [#close()] ends the answer properly. Ended before its time, by [#closeFor],
    /// the connection is given up, so that nobody takes a part for the whole.
    void wholeOrNothing();

    boolean isOpen();

    /// Called once when the stream is over, for whatever reason: closed by us, by the client, or by
    /// a limit. Called at once if it is over already. Runs on an arbitrary thread and must not
    /// block.
    void onClose(Runnable listener);
}
