package dev.caisson.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Routing table: which handler answers which path. Methods are the handler's business.
public final class Routes {
    /// One entry.
    ///
    /// @param name how the route is called in metrics and logs: the path or the prefix with a star
    record Route(String name, Kind kind) {}

    /// How a request at a route is treated.
    sealed interface Kind {
        /// For everybody: a request has a place in the name of its client's address.
        record Open(Handler handler) implements Kind {}

        /// The handler says who asks, and a request has its place from then on.
        ///
        /// @param escapedSlashes whether a path may have escaped slashes, since the handler reads
        ///   it as it came
        record Door(Handler handler, boolean escapedSlashes) implements Kind {}

        /// For the operator: answered on no thread and with no place that callers have to do with,
        /// so that a busy server can still be looked at.
        record Operational(Operation operation) implements Kind {}
    }

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
            return add(path, new Kind.Open(handler));
        }

        /// A handler that says who asks by [Exchange#admitted].
        ///
        /// @param path everything below it when it ends with a slash
        public Builder door(String path, Handler handler) {
            return path.endsWith("/")
                    ? addPrefix(path, new Kind.Door(handler, false))
                    : add(path, new Kind.Door(handler, false));
        }

        /// As [#door], for a handler that reads paths as they came: they may have escaped slashes.
        ///
        /// @param path ends with a slash
        public Builder rawDoor(String path, Handler handler) {
            return addPrefix(path, new Kind.Door(handler, true));
        }

        /// A route for the operator, answered also under full load.
        Builder operational(String path, Operation operation) {
            return add(path, new Kind.Operational(operation));
        }

        /// Everything below a path that ends with a slash.
        public Builder prefix(String path, Handler handler) {
            if (!path.endsWith("/")) {
                throw new IllegalArgumentException("a prefix ends with a slash: " + path);
            }
            return addPrefix(path, new Kind.Open(handler));
        }

        public Routes build() {
            return new Routes(this);
        }

        private Builder add(String path, Kind kind) {
            if (exact.putIfAbsent(checked(path), new Route(path, kind)) != null) {
                throw new IllegalArgumentException("two handlers for " + path);
            }
            return this;
        }

        private Builder addPrefix(String path, Kind kind) {
            prefixes.add(new Prefix(checked(path), new Route(path + "*", kind)));
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
