package dev.caisson.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keys of a [KeyFamily]: the record that each name stands for, and its members.
///
/// @param name what stands before the names
record Family(String name, Class<? extends Record> type, List<Member> members) {
    /// What an operator may call one of them.
    static final String NAME_PATTERN = "[a-z0-9][a-z0-9_-]{0,62}";

    /// @param setting whose name has `NAME` where an operator's word stands
    /// @param map whether it takes every key below its own
    record Member(String word, Setting setting, boolean map) {}

    static Family of(RecordComponent component, KeyFamily declared) {
        var types = ((ParameterizedType) component.getGenericType()).getActualTypeArguments();
        var type = ((Class<?>) types[1]).asSubclass(Record.class);
        return new Family(
                declared.name(),
                type,
                Arrays.stream(type.getRecordComponents())
                        .map(one -> member(declared.name(), one))
                        .toList());
    }

    private static Member member(String family, RecordComponent component) {
        var key =
                Optional.ofNullable(component.getAnnotation(Key.class))
                        .orElseThrow(() -> new IllegalArgumentException(component + " has no key"));
        boolean map = component.getType() == Map.class;
        var name = family + ".NAME." + key.name() + (map ? ".NAME" : "");
        var type = map ? Types.text(Integer.MAX_VALUE) : ComponentType.of(component, key);
        return new Member(
                key.name(),
                new Setting(name, type, key.initial(), key.doc(), key.secret(), List.of()),
                map);
    }

    /// Whether a key is below this family.
    boolean has(String key) {
        return key.startsWith(name + ".");
    }

    /// The member that a key below a name belongs to.
    Optional<Member> member(String path) {
        return members.stream()
                .filter(one ->
                        one.map()
                                ? path.startsWith(one.word() + ".")
                                        && path.length() > one.word().length() + 1
                                : path.equals(one.word()))
                .findFirst();
    }
}
