package dev.caisson.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// What a program finds in its environment: the runner's own variables, then the run's.
///
/// It is also the job as the guest receives it: entries `NAME=value`, each ended by a NUL, and an
/// empty entry that says it is whole. The program's text does not travel with it: it is a file.
final class Environment {
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    static final String LANG = "C.UTF-8";

    private static final Map<String, String> OWN =
            Map.of(
                    "PATH", PATH,
                    "LANG", LANG,
                    "HOME", "/workspace",
                    "PWD", "/workspace",
                    "TMPDIR", "/tmp",
                    "USER", "sandbox",
                    "LOGNAME", "sandbox",
                    "SHELL", "/bin/bash",
                    "PYTHONUNBUFFERED", "1",
                    "PYTHONDONTWRITEBYTECODE", "1");

    private Environment() {}

    /// @throws IllegalArgumentException when a name or value cannot be one
    static byte[] job(Map<String, String> env) {
        return entries(withOwn(env));
    }

    /// The first job of a session. The entry without a name is the file to run, and says that more
    /// jobs will come.
    static byte[] firstCell(String file, Map<String, String> env) {
        return nextCell(file, withOwn(env));
    }

    /// A later one, with the variables that are set or changed.
    static byte[] nextCell(String file, Map<String, String> env) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("=" + file + "\0").getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(entries(env));
        return bytes.toByteArray();
    }

    private static Map<String, String> withOwn(Map<String, String> env) {
        var all = new TreeMap<>(OWN);
        all.putAll(env);
        return all;
    }

    private static byte[] entries(Map<String, String> variables) {
        var bytes = new ByteArrayOutputStream();
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
