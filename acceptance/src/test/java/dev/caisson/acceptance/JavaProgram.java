package dev.caisson.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Java program in a process of its own. It prints one line when it is ready and ends when its
/// standard input does.
public final class JavaProgram implements AutoCloseable {
    private static final Duration STOP_TIME = Duration.ofSeconds(15);

    private final Process process;
    private final BufferedReader out;
    private final String ready;

    private JavaProgram(Process process, BufferedReader out, String ready) {
        this.process = process;
        this.out = out;
        this.ready = ready;
    }

    /// @param main a class of this module
    public static JavaProgram start(Class<?> main, String... options) throws IOException {
        return start(command(ownClassPath(), main.getName(), options));
    }

    public static JavaProgram start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        var process = builder.start();
        var out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var line = out.readLine();
        if (line == null) {
            throw new IOException(command.getLast() + " ended before it was ready");
        }
        return new JavaProgram(process, out, line);
    }

    /// @param options of the virtual machine
    public static List<String> command(String classPath, String main, String... options) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, main));
        return command;
    }

    /// Surefire hides the real class path behind a jar of its own.
    private static String ownClassPath() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /// What it printed, split at spaces: words and values in turn.
    public Map<String, String> said() {
        var words = ready.split(" ", -1);
        return words.length == 4
                ? Map.of(words[0], words[1], words[2], words[3])
                : Map.of(words[0], words[1]);
    }

    /// Says a line to it and waits for one.
    public String ask(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
        var answer = out.readLine();
        if (answer == null) {
            throw new IOException("it ended instead of answering");
        }
        return answer;
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(STOP_TIME)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
