package dev.caisson.broker;

import dev.caisson.call.Caller;
import java.util.List;
import java.util.Optional;

/// Something that offers resources: the files of threads, fixtures, later the model.
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

    /// What this caller may read, in a stable order.
    List<Resource> list(Caller caller);

    List<Template> templates(Caller caller);

    /// The contents of a resource, or empty when this source has none of that name for this caller.
    Optional<List<ResourceContents>> read(Call call, String uri) throws InterruptedException;

    /// Values that could complete an argument of a template.
    default List<String> complete(
            Caller caller, String uriTemplate, String argument, String prefix) {
        return List.of();
    }
}
