package dev.caisson.sandbox.session;

import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.HandedOver;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Receiver of a session guest's records: one line of JSON for each cell, which begins with the
/// cell's name.
///
/// Whatever else comes is not even read: other cells, longer lines, and more than a bounded number
/// of lines for one cell.
final class CellRecords implements Box.Receiver {
    /// A value, what is displayed, the members around it, and a name.
    static final int LINE_BYTES_MAX = HandedOver.VALUE_BYTES_MAX + DisplayForm.BYTES_MAX + 256;

    /// More than a guest ever says about one cell.
    private static final int LINES_MAX = 16;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean tooLong;
    private byte[] beginning = new byte[0];
    private int lines;
    private Optional<HandedOver> lastValue = Optional.empty();
    private CompletableFuture<CellRecord> answer = new CompletableFuture<>();

    /// @param file the cell that is about to run, as its guest knows it
    /// @return completes when the guest says that it has ended
    synchronized CompletableFuture<CellRecord> expect(String file) {
        beginning = "{\"cell\":\"%s\"".formatted(file).getBytes(StandardCharsets.UTF_8);
        lines = 0;
        lastValue = Optional.empty();
        answer = new CompletableFuture<>();
        return answer;
    }

    /// What a cell handed over that then ended its interpreter.
    synchronized Optional<HandedOver> lastValue() {
        return lastValue;
    }

    @Override
    public synchronized void receive(byte[] bytes, int count) {
        for (int at = 0; at < count; at++) {
            if (bytes[at] == '\n') {
                take();
            } else if (line.size() < LINE_BYTES_MAX) {
                line.write(bytes[at]);
            } else {
                tooLong = true;
            }
        }
    }

    private void take() {
        var whole = line.toByteArray();
        boolean heard = !tooLong && beginsRight(whole) && lines++ < LINES_MAX;
        line.reset();
        tooLong = false;
        if (heard) {
            CellRecord.parse(whole).ifPresent(this::take);
        }
    }

    private boolean beginsRight(byte[] whole) {
        int length = Math.min(whole.length, beginning.length);
        return beginning.length > 0
                && Arrays.equals(whole, 0, length, beginning, 0, beginning.length);
    }

    private void take(CellRecord record) {
        if (record.code().isPresent()) {
            answer.complete(record);
        } else {
            lastValue = record.value();
        }
    }
}
