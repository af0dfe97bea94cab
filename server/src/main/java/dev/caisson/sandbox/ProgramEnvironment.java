package dev.caisson.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Environment variables of a program: the runner's own variables, then the run's.
///
/// It is also the job as the guest receives it: entries `NAME=value`, each ended by a NUL, and an
/// empty entry that says it is whole. Entries without a name come first and are words to the guest:
/// the file of a session's program, the file of its input, `display`. The program's text does not
/// travel with it: it is a file.
public final class ProgramEnvironment {
    /// First come stubs for programs that fetch from a network, see `guests/bin/offline.sh`.
    public static final String PATH =
            "/run/guest/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    public static final String LANG = "C.UTF-8";

    private static final Map<String, String> OWN =
            Map.ofEntries(
                    Map.entry("PATH", PATH),
                    Map.entry("LANG", LANG),
                    Map.entry("HOME", "/workspace"),
                    Map.entry("PWD", "/workspace"),
                    Map.entry("TMPDIR", "/tmp"),
                    Map.entry("USER", "sandbox"),
                    Map.entry("LOGNAME", "sandbox"),
                    Map.entry("SHELL", "/bin/bash"),
                    Map.entry("MPLCONFIGDIR", "/tmp/.matplotlib"),
                    // Caches, such as that of fonts, are not files of the program.
                    Map.entry("XDG_CACHE_HOME", "/tmp/.cache"),
                    Map.entry("PYTHONUNBUFFERED", "1"),
                    Map.entry("PYTHONDONTWRITEBYTECODE", "1"));

    /// For installers that are not called by the name of a stub: they do not wait for a network
    /// that is not there. pip hands itself to the stub.
    private static final Map<String, String> OFFLINE =
            Map.of("PIP_PYTHON", "/run/guest/bin/pip-python", "npm_config_offline", "true");

    private ProgramEnvironment() {}

    /// Word to a guest that the value of the last expression is wanted.
    public static final String DISPLAY = "display";

    /// Word to the guest of a session that the program it runs is to end.
    private static final String INTERRUPT = "interrupt";

    /// Word to a guest that a file is the program's input.
    ///
    /// @param path inside
    public static String input(String path) {
        return "<" + path;
    }

    /// @throws IllegalArgumentException when a name or value cannot be one
    public static byte[] job(Map<String, String> env) {
        return job(List.of(), env);
    }

    /// @param words to the guest
    public static byte[] job(List<String> words, Map<String, String> env) {
        return entries(words, withOwn(env));
    }

    /// A later job of a session, with the variables that are set or changed.
    ///
    /// @param words to the guest; the file to run is one of them, and says that more jobs will come
    public static byte[] nextJob(List<String> words, Map<String, String> env) {
        return entries(words, env);
    }

    /// What ends the program of a session in place of a job. See [Language#readsWhileWaiting].
    public static byte[] interruption() {
        return entries(List.of(INTERRUPT), Map.of());
    }

    private static Map<String, String> withOwn(Map<String, String> env) {
        var all = new TreeMap<>(OWN);
        all.putAll(OFFLINE);
        all.putAll(env);
        return all;
    }

    private static byte[] entries(List<String> words, Map<String, String> variables) {
        var bytes = new ByteArrayOutputStream();
        for (var word : words) {
            bytes.writeBytes(("=" + word + "\0").getBytes(StandardCharsets.UTF_8));
        }
        new TreeMap<>(variables)
                .forEach((name, value) -> {
                    check(name, value);
                    bytes.writeBytes((name + "=" + value).getBytes(StandardCharsets.UTF_8));
                    bytes.write(0);
                });
        bytes.write(0);
        return bytes.toByteArray();
    }

    private static void check(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf(0) >= 0) {
            throw new IllegalArgumentException("not a name of an environment variable: " + name);
        }
        if (value.indexOf(0) >= 0) {
            throw new IllegalArgumentException("the value of " + name + " holds a NUL");
        }
    }
}
