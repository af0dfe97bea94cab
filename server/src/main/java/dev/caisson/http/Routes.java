package dev.caisson.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which handler answers which path. Methods are the handler's business.
public final class Routes {
    /// One entry.
    ///
    /// @param name how the route is called in metrics and logs: the path or the prefix with a star
    /// @param operational answered also when all places for requests are taken, so that a busy
    ///   server can still be looked at
    record Route(String name, Handler handler, boolean operational) {}

    private record Prefix(String path, Route route) {}

    private final Map<String, Route> exact;
    private final List<Prefix> prefixes;

    private Routes(Builder builder) {
        exact = Map.copyOf(builder.exact);
        prefixes =
                builder.prefixes.stream()
                        .sorted((a, b) -> Integer.compare(b.path().length(), a.path().length()))
                        .toList();
    }

    public static Builder builder() {
        return new Builder();
    }

    /// The exact path wins, then the longest prefix.
    Optional<Route> find(String path) {
        var route = exact.get(path);
        if (route != null) {
            return Optional.of(route);
        }
        for (var prefix : prefixes) {
            if (path.startsWith(prefix.path())) {
                return Optional.of(prefix.route());
            }
        }
        return Optional.empty();
    }

    /// Collects routes; a path can be given once.
    public static final class Builder {
        private final Map<String, Route> exact = new HashMap<>();
        private final List<Prefix> prefixes = new ArrayList<>();

        private Builder() {}

        public Builder exact(String path, Handler handler) {
            return add(path, new Route(path, handler, false));
        }

        /// A route for the operator, answered also under full load.
        Builder operational(String path, Handler handler) {
            return add(path, new Route(path, handler, true));
        }

        /// Everything below a path that ends with a slash.
        public Builder prefix(String path, Handler handler) {
            if (!path.endsWith("/")) {
                throw new IllegalArgumentException("a prefix ends with a slash: " + path);
            }
            prefixes.add(new Prefix(checked(path), new Route(path + "*", handler, false)));
            return this;
        }

        public Routes build() {
            return new Routes(this);
        }

        private Builder add(String path, Route route) {
            if (exact.putIfAbsent(checked(path), route) != null) {
                throw new IllegalArgumentException("two handlers for " + path);
            }
            return this;
        }

        private static String checked(String path) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("a path starts with a slash: " + path);
            }
            return path;
        }
    }
}
