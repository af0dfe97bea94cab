package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Source of resources, which clients list in pages and read by URI.
public interface ResourceSource {
    record Resource(
            String uri,
            String name,
            String title,
            Optional<String> description,
            String mimeType,
            Optional<Long> size) {}

    /// @param uriTemplate RFC 6570
    record Template(
            String uriTemplate,
            String name,
            String title,
            Optional<String> description,
            String mimeType) {}

    /// Page of a list.
    ///
    /// @param next where the next page goes on; empty at the end
    record Page(List<Resource> resources, Optional<String> next) {
        public Page {
            resources = List.copyOf(resources);
        }

        /// Cuts a page out of a whole list. Its cursor is how much of the list was seen.
        ///
        /// @param resource makes a resource of an item; asked for the page alone
        /// @throws Refusal MALFORMED for a cursor that is none of this list
        public static <T> Page of(
                List<T> all, Optional<String> after, int limit, Function<T, Resource> resource) {
            int from = after.map(cursor -> seen(cursor, all.size())).orElse(0);
            int to = Math.min(all.size(), from + limit);
            return new Page(
                    all.subList(from, to).stream().map(resource).toList(),
                    to < all.size() ? Optional.of(Integer.toString(to)) : Optional.empty());
        }

        private static int seen(String cursor, int size) {
            if (!cursor.matches("[0-9]{1,9}") || Integer.parseInt(cursor) > size) {
                throw unknownCursor();
            }
            return Integer.parseInt(cursor);
        }

        static Refusal unknownCursor() {
            return new Refusal(
                    Reason.MALFORMED, "The cursor is not one of ours; start again without it.");
        }
    }

    /// A page of what this caller may read, in a stable order.
    ///
    /// @param after the `next` of the page before; empty for the first page
    /// @param limit at least 1
    /// @throws Refusal MALFORMED for a cursor that is none of this source
    Page list(Caller caller, Optional<String> after, int limit);

    List<Template> templates(Caller caller);

    /// The contents of a resource, or empty when this source has none of that name for this caller.
    Optional<List<ResourceContents>> read(Call call, String uri) throws InterruptedException;

    /// Values that could complete an argument of a template.
    default List<String> complete(
            Caller caller, String uriTemplate, String argument, String prefix) {
        return List.of();
    }
}
