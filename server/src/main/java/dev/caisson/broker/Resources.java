package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Resources of all sources, in the order of the sources. A cursor says which source comes next and
/// where that one goes on: `<number of the source>:<cursor of the source>`.
final class Resources {
    private static final Pattern CURSOR = Pattern.compile("(?s)([0-9]{1,4}):(.*)");

    private final List<ResourceSource> sources;

    Resources(List<ResourceSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /// A page is short only at the end of all.
    ResourceSource.Page list(Caller caller, Optional<String> cursor, int limit) {
        var at = cursor.map(this::parsed).orElse(Place.beginningOf(0));
        var resources = new ArrayList<ResourceSource.Resource>();
        while (at.source < sources.size() && resources.size() < limit) {
            var page = sources.get(at.source).list(caller, at.after, limit - resources.size());
            resources.addAll(page.resources());
            at = page.next().isPresent() ? new Place(at.source, page.next()) : at.nextSource();
        }
        return new ResourceSource.Page(resources, unlessNothingFollows(caller, at));
    }

    private Optional<String> unlessNothingFollows(Caller caller, Place from) {
        var at = from;
        while (at.source < sources.size()) {
            if (at.after.isPresent() || isFilled(caller, at.source)) {
                return Optional.of(at.text());
            }
            at = at.nextSource();
        }
        return Optional.empty();
    }

    private boolean isFilled(Caller caller, int source) {
        return !sources.get(source).list(caller, Optional.empty(), 1).resources().isEmpty();
    }

    private record Place(int source, Optional<String> after) {
        static Place beginningOf(int source) {
            return new Place(source, Optional.empty());
        }

        Place nextSource() {
            return beginningOf(source + 1);
        }

        String text() {
            return source + ":" + after.orElse("");
        }
    }

    private Place parsed(String cursor) {
        var matcher = CURSOR.matcher(cursor);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) >= sources.size()) {
            throw ResourceSource.Page.unknownCursor();
        }
        var after = matcher.group(2);
        return new Place(
                Integer.parseInt(matcher.group(1)),
                after.isEmpty() ? Optional.empty() : Optional.of(after));
    }

    List<ResourceSource.Template> templates(Caller caller) {
        return sources.stream().flatMap(source -> source.templates(caller).stream()).toList();
    }

    List<String> complete(Caller caller, String uriTemplate, String argument, String prefix) {
        return sources.stream()
                .flatMap(source -> source.complete(caller, uriTemplate, argument, prefix).stream())
                .toList();
    }

    List<ResourceContents> read(Call call, String uri) throws InterruptedException {
        for (var source : sources) {
            var contents = source.read(call, uri);
            if (contents.isPresent()) {
                return contents.get();
            }
        }
        throw new Refusal(Reason.UNKNOWN_RESOURCE, "Unknown resource: " + uri, Map.of("uri", uri));
    }
}
