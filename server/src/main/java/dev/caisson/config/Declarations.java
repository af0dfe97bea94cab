package dev.caisson.config;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Table of the configuration keys that a tree of records declares. A record that declares keys may
/// stand at several places of the tree: each of them gets the same values.
public final class Declarations {
    private final Map<String, Setting> settings = new HashMap<>();
    private final Map<String, Method> declaredBy = new HashMap<>();
    private final Map<String, List<Setting>> sections = new TreeMap<>();

    private final Map<String, Family> families = new TreeMap<>();

    private Declarations(Class<? extends Record> root) {
        add(root);
    }

    /// @throws IllegalStateException when two components declare one key
    public static Declarations of(Class<? extends Record> root) {
        return new Declarations(root);
    }

    private void add(Class<?> type) {
        for (var component : type.getRecordComponents()) {
            var key = component.getAnnotation(Key.class);
            var family = component.getAnnotation(KeyFamily.class);
            if (family != null) {
                families.putIfAbsent(family.name(), Family.of(component, family));
            } else if (key != null) {
                add(component, key);
            } else if (component.getType().isRecord()) {
                add(component.getType());
            }
        }
    }

    private void add(RecordComponent component, Key key) {
        var first = declaredBy.putIfAbsent(key.name(), component.getAccessor());
        if (first == null) {
            var setting = Setting.of(component, key);
            settings.put(key.name(), setting);
            sections.computeIfAbsent(setting.section(), _ -> new ArrayList<>()).add(setting);
        } else if (!first.equals(component.getAccessor())) {
            throw new IllegalStateException(
                    key.name() + " is declared by " + first + " and by " + component.getAccessor());
        }
    }

    /// By section, and within one in the order in which they are declared.
    public List<Setting> all() {
        return sections.values().stream().flatMap(Collection::stream).toList();
    }

    /// The words before the names that an operator chooses, see [KeyFamily].
    public Set<String> families() {
        return Set.copyOf(families.keySet());
    }

    Family family(String name) {
        return Optional.ofNullable(families.get(name)).orElseThrow();
    }

    /// The family that a key is below, whether it has such a member or not.
    Optional<Family> familyOf(String key) {
        return families.values().stream().filter(family -> family.has(key)).findFirst();
    }

    /// The keys that begin with a word and a dot.
    public List<Setting> section(String word) {
        if (families.containsKey(word)) {
            return family(word).members().stream().map(Family.Member::setting).toList();
        }
        return List.copyOf(Optional.ofNullable(sections.get(word)).orElseThrow());
    }

    Setting get(String name) {
        return Optional.ofNullable(settings.get(name)).orElseThrow();
    }
}
