package dev.caisson.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Text that stands in for `/proc/cpuinfo`: as many processors as a run has threads, each like the
/// first of the machine, so that programs find what it can do and not how large it is.
record ProcessorText(String first) {
    /// Of this machine. What a processor can do does not change while it runs.
    static final ProcessorText HOST = of(Path.of("/proc/cpuinfo"));

    private static final Pattern NUMBER =
            Pattern.compile("(?m)^(processor|core id|apicid|initial apicid)([ \t]*:).*$");
    private static final Pattern COUNT = Pattern.compile("(?m)^(siblings|cpu cores)([ \t]*:).*$");

    /// Processors are paragraphs; on some machines one without a number follows, which tells their
    /// maker and a serial number.
    static ProcessorText of(Path file) {
        try {
            var paragraph = Files.readString(file).split("\n\n", 2)[0];
            return new ProcessorText(
                    paragraph.startsWith("processor") ? paragraph.strip() : "processor\t: 0");
        } catch (IOException unknown) {
            return new ProcessorText("processor\t: 0");
        }
    }

    String times(int processors) {
        var counted = COUNT.matcher(first).replaceAll("$1$2 " + processors);
        var text = new StringBuilder();
        for (int number = 0; number < processors; number++) {
            text.append(NUMBER.matcher(counted).replaceAll("$1$2 " + number)).append("\n\n");
        }
        return text.toString();
    }
}
