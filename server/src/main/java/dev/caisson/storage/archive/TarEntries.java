package dev.caisson.storage.archive;

import dev.caisson.storage.FilePath;
import dev.caisson.storage.PortableName;
import dev.caisson.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/// Entries of a tar file in the POSIX form of 2001: blocks of 512 bytes; before an entry whose name
/// or size does not fit into its header stands a record with both. Names are those every unpacker
/// can make: see [PortableName].
final class TarEntries implements Archive.Entries {
    private static final int BLOCK = 512;
    private static final int NAME_BYTES = 100;
    private static final long SIZE_MAX = 077777777777L;
    private static final byte[] ZEROS = new byte[2 * BLOCK];

    private final OutputStream tar;

    /// @param tar closed with this
    TarEntries(OutputStream tar) {
        this.tar = tar;
    }

    @Override
    public void directory(FilePath path, Instant modified) throws IOException {
        begin(PortableName.of(path) + "/", '5', 0755, 0, modified);
    }

    @Override
    public OutputStream file(StoredFile file) throws IOException {
        begin(PortableName.of(file.path()), '0', 0644, file.size(), file.modified());
        return tar;
    }

    /// The header has promised the size; what is missing of a file that has shrunk is zeros.
    @Override
    public void endFile(StoredFile file, long missing) throws IOException {
        for (var left = missing; left > 0; left -= ZEROS.length) {
            tar.write(ZEROS, 0, (int) Math.min(left, ZEROS.length));
        }
        pad(file.size());
    }

    private void begin(String name, char type, int mode, long size, Instant modified)
            throws IOException {
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME_BYTES || size > SIZE_MAX) {
            var extended = (record("path", name) + record("size", Long.toString(size)));
            var data = extended.getBytes(StandardCharsets.UTF_8);
            tar.write(
                    header(
                            "extended".getBytes(StandardCharsets.US_ASCII),
                            'x',
                            0644,
                            data.length,
                            modified));
            tar.write(data);
            pad(data.length);
        }
        tar.write(header(bytes, type, mode, size, modified));
    }

    /// A record says how long it is, itself included.
    private static String record(String key, String value) {
        var rest = " " + key + "=" + value + "\n";
        var length = rest.getBytes(StandardCharsets.UTF_8).length;
        var total = length + Integer.toString(length).length();
        total = length + Integer.toString(total).length();
        return total + rest;
    }

    private static byte[] header(byte[] name, char type, int mode, long size, Instant modified) {
        var block = new byte[BLOCK];
        System.arraycopy(name, 0, block, 0, Math.min(name.length, NAME_BYTES));
        octal(block, 100, 8, mode);
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, Math.min(size, SIZE_MAX));
        octal(block, 136, 12, Math.clamp(modified.getEpochSecond(), 0, SIZE_MAX));
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = (byte) type;
        System.arraycopy("ustar\0".getBytes(StandardCharsets.US_ASCII), 0, block, 257, 6);
        block[263] = '0';
        block[264] = '0';
        octal(block, 148, 7, checksum(block));
        return block;
    }

    private static int checksum(byte[] block) {
        var sum = 0;
        for (var one : block) {
            sum += one & 0xff;
        }
        return sum;
    }

    /// Digits with a zero byte at the end.
    private static void octal(byte[] block, int at, int length, long value) {
        var digits = Long.toOctalString(value);
        var text = "0".repeat(length - 1 - digits.length()) + digits + "\0";
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, block, at, length);
    }

    private void pad(long size) throws IOException {
        tar.write(ZEROS, 0, (int) ((BLOCK - size % BLOCK) % BLOCK));
    }

    @Override
    public void finish() throws IOException {
        tar.write(ZEROS);
        tar.close();
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}
