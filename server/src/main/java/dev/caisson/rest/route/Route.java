package dev.caisson.rest.route;

import dev.caisson.call.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Route of the REST API: how it is asked, who may, what it takes and gives, and what it does. The
/// document is made from this, so it cannot say anything else.
///
/// @param id unique; generated clients name their methods after it
/// @param body of the request, as JSON
/// @param refusals statuses of errors beyond those every route has
public record Route(
        Verb verb,
        PathTemplate path,
        String id,
        String summary,
        RouteAccess access,
        List<Parameter> parameters,
        Optional<JsonBody> body,
        List<Reply> replies,
        List<Integer> refusals,
        Action action) {
    public Route {
        parameters = List.copyOf(parameters);
        replies = List.copyOf(replies);
        refusals = List.copyOf(refusals);
    }

    /// The same for callers who see a group of tools.
    Route within(String toolset) {
        return new Route(
                verb,
                path,
                id,
                summary,
                access.within(toolset),
                parameters,
                body,
                replies,
                refusals,
                action);
    }

    public static Builder get(String path) {
        return new Builder(Verb.GET, path);
    }

    public static Builder post(String path) {
        return new Builder(Verb.POST, path);
    }

    public static Builder put(String path) {
        return new Builder(Verb.PUT, path);
    }

    public static Builder delete(String path) {
        return new Builder(Verb.DELETE, path);
    }

    /// Says the parts of a route in the order a reader wants them. Any key will do until [#needing]
    /// or [#open] says otherwise.
    public static final class Builder {
        private final Verb verb;
        private final PathTemplate path;
        private String id = "";
        private String summary = "";
        private RouteAccess access = RouteAccess.ANY_KEY;
        private final List<Parameter> parameters = new ArrayList<>();
        private Optional<JsonBody> body = Optional.empty();
        private final List<Reply> replies = new ArrayList<>();
        private List<Integer> refusals = List.of();

        private Builder(Verb verb, String path) {
            this.verb = verb;
            this.path = PathTemplate.of(path);
        }

        public Builder named(String newId, String newSummary) {
            id = newId;
            summary = newSummary;
            return this;
        }

        public Builder open() {
            access = RouteAccess.OPEN;
            return this;
        }

        public Builder needing(Scope... oneOf) {
            access = RouteAccess.of(oneOf);
            return this;
        }

        public Builder with(Parameter... more) {
            parameters.addAll(List.of(more));
            return this;
        }

        public Builder taking(Class<? extends Record> type) {
            body = Optional.of(JsonBody.of(type));
            return this;
        }

        public Builder taking(JsonBody newBody) {
            body = Optional.of(newBody);
            return this;
        }

        public Builder giving(Class<? extends Record> type) {
            return giving(Reply.json(200, BodyShape.given(type)));
        }

        public Builder giving(int status, Class<? extends Record> type) {
            return giving(Reply.json(status, BodyShape.given(type)));
        }

        public Builder giving(Reply reply) {
            replies.add(reply);
            return this;
        }

        public Builder refusing(Integer... statuses) {
            refusals = List.of(statuses);
            return this;
        }

        public Route by(Action action) {
            return new Route(
                    verb, path, id, summary, access, parameters, body, replies, refusals, action);
        }
    }
}
