package dev.caisson.search;

import java.util.ArrayList;
import java.util.List;

/// Filter of paths by patterns of a caller's: at least one must match, and none that begins with
/// `!`.
public final class PathFilter {
    /// How many patterns there may be.
    public static final int PATTERNS_MAX = 50;

    public static final PathFilter ALL = new PathFilter(List.of(), List.of());

    private final List<GlobPattern> wanted;
    private final List<GlobPattern> unwanted;

    private PathFilter(List<GlobPattern> wanted, List<GlobPattern> unwanted) {
        this.wanted = List.copyOf(wanted);
        this.unwanted = List.copyOf(unwanted);
    }

    /// @param argument its name, for the caller
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT for a pattern that is too long
    public static PathFilter of(String argument, List<String> patterns) {
        var wanted = new ArrayList<GlobPattern>();
        var unwanted = new ArrayList<GlobPattern>();
        for (var pattern : patterns) {
            if (pattern.startsWith("!")) {
                unwanted.addAll(GlobPattern.alternatives(argument, pattern.substring(1)));
            } else {
                wanted.addAll(GlobPattern.alternatives(argument, pattern));
            }
        }
        return new PathFilter(wanted, unwanted);
    }

    /// @param from where the path begins to count
    boolean takes(int[] path, int from) {
        return (wanted.isEmpty() || matches(wanted, path, from)) && !matches(unwanted, path, from);
    }

    /// Whether a directory may hold what is taken.
    boolean enters(int[] path, int from) {
        return unwanted.isEmpty() || !matches(unwanted, path, from);
    }

    private static boolean matches(List<GlobPattern> patterns, int[] path, int from) {
        for (var pattern : patterns) {
            if (pattern.matches(path, from, path.length)) {
                return true;
            }
        }
        return false;
    }
}
