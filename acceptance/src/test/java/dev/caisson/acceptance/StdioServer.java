package dev.caisson.acceptance;

import dev.caisson.acceptance.Engine.Setting;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/// The engine with the fixture over standard input and output, until the input ends.
public final class StdioServer {
    private StdioServer() {}

    static void main() throws Exception {
        try (var engine = Engine.start(Setting.OPEN)) {
            engine.stdio(System.in, new FileOutputStream(FileDescriptor.out));
        }
    }
}
