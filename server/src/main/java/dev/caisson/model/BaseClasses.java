package dev.caisson.model;

import dev.caisson.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Classes that every space has. Their numbers, and those of their slots, are the same everywhere
/// and never change.
final class BaseClasses {
    static final List<StoredClass> ALL =
            List.of(
                    stored(
                            1,
                            """
                            {"name":"core/Thing","label":"Thing","abstract":true,"title":"name",
                             "doc":"Anything with a name.","slots":[
                             {"name":"name","type":"string"},
                             {"name":"tags","type":"string","many":true,"distinct":true,"index":true}]}
                            """),
                    stored(
                            10,
                            """
                            {"name":"core/Note","label":"Note","codec":"markdown","title":"title",
                             "body":"text","doc":"Something worth remembering.","slots":[
                             {"name":"title","type":"string","required":true},
                             {"name":"text","type":"text"},
                             {"name":"about","type":"ref","many":true,"distinct":true,
                              "on_delete":"unlink","doc":"What it is about."},
                             {"name":"expires_at","type":"datetime","index":true}]}
                            """));

    private BaseClasses() {}

    private static StoredClass stored(long number, String definition) {
        var spec = ClassSpec.read(Json.parse(definition));
        Map<String, Long> numbers = new HashMap<>();
        for (var slot : spec.slotList()) {
            numbers.put(slot.name(), number + 1 + numbers.size());
        }
        return new StoredClass(number, spec, numbers);
    }

    static boolean has(String name) {
        return ALL.stream().anyMatch(each -> each.name().equals(name));
    }
}
