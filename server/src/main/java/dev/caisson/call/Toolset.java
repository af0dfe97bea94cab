package dev.caisson.call;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Toolset: a group of tools that a key may be made for. A URL and a tool name it by its word.
public enum Toolset {
    /// To run code and to read what it wrote.
    CORE,
    /// To list, fetch, store and delete files.
    FILES,
    /// To read, search and change the files of a thread as a coding agent does.
    DEV,
    /// To run code in the workspace of a conversation: another form of what [#CORE] does, for
    /// clients that were written for it.
    CONVERSATION,
    /// To find the tools of all servers and to call them, from programs or one by one. It is a
    /// short list to all that a caller may call: who sees it sees every toolset.
    CODE;

    /// The toolsets of the tools of another server.
    private static final Pattern UPSTREAM = Pattern.compile("up_[a-z0-9_]{1,40}");

    /// The word used on the wire and on the command line, such as `files`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The toolset whose tools these do the same as.
    public Optional<Toolset> formOf() {
        return switch (this) {
            case CONVERSATION -> Optional.of(CORE);
            case CORE, FILES, CODE, DEV -> Optional.empty();
        };
    }

    public static Optional<Toolset> of(String word) {
        return Arrays.stream(values()).filter(toolset -> toolset.word().equals(word)).findFirst();
    }

    /// The toolset of the tools of another server, by its id in programs: `up_github`.
    public static String upstream(String module) {
        return "up_" + module;
    }

    /// Also for the toolset of a server that is not there yet.
    public static boolean exists(String word) {
        return of(word).isPresent() || UPSTREAM.matcher(word).matches();
    }

    /// All words, in order.
    public static List<String> words() {
        return Arrays.stream(values()).map(Toolset::word).toList();
    }
}
