package dev.caisson.rest;

import dev.caisson.call.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One thing that can be asked for: how it is asked, who may, what it takes and gives, and what it
/// does. The document is made from this, so it cannot say anything else.
///
/// @param id unique; generated clients name their methods after it
/// @param body of the request, as JSON
/// @param refusals statuses of errors beyond those every route has
record Route(
        Verb verb,
        PathTemplate path,
        String id,
        String summary,
        Access access,
        List<Parameter> parameters,
        Optional<Body> body,
        List<Reply> replies,
        List<Integer> refusals,
        Action action) {
    Route {
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

    static Builder get(String path) {
        return new Builder(Verb.GET, path);
    }

    static Builder post(String path) {
        return new Builder(Verb.POST, path);
    }

    static Builder put(String path) {
        return new Builder(Verb.PUT, path);
    }

    static Builder delete(String path) {
        return new Builder(Verb.DELETE, path);
    }

    /// Says the parts of a route in the order a reader wants them. Any key will do until [#needing]
    /// or [#open] says otherwise.
    static final class Builder {
        private final Verb verb;
        private final PathTemplate path;
        private String id = "";
        private String summary = "";
        private Access access = Access.ANY_KEY;
        private final List<Parameter> parameters = new ArrayList<>();
        private Optional<Body> body = Optional.empty();
        private final List<Reply> replies = new ArrayList<>();
        private List<Integer> refusals = List.of();

        private Builder(Verb verb, String path) {
            this.verb = verb;
            this.path = PathTemplate.of(path);
        }

        Builder named(String newId, String newSummary) {
            id = newId;
            summary = newSummary;
            return this;
        }

        Builder open() {
            access = Access.OPEN;
            return this;
        }

        Builder needing(Scope... oneOf) {
            access = Access.of(oneOf);
            return this;
        }

        Builder with(Parameter... more) {
            parameters.addAll(List.of(more));
            return this;
        }

        Builder taking(Class<? extends Record> type) {
            body = Optional.of(Body.of(type));
            return this;
        }

        Builder taking(Body newBody) {
            body = Optional.of(newBody);
            return this;
        }

        Builder giving(Class<? extends Record> type) {
            return giving(Reply.json(200, Shape.given(type)));
        }

        Builder giving(int status, Class<? extends Record> type) {
            return giving(Reply.json(status, Shape.given(type)));
        }

        Builder giving(Reply reply) {
            replies.add(reply);
            return this;
        }

        Builder refusing(Integer... statuses) {
            refusals = List.of(statuses);
            return this;
        }

        Route by(Action action) {
            return new Route(
                    verb, path, id, summary, access, parameters, body, replies, refusals, action);
        }
    }
}
