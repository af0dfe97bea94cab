package dev.caisson;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/// Copy of a record with some components changed, such as limits that a test can reach.
public final class RecordCopy {
    private RecordCopy() {}

    /// @param changes names and values in turn; a dotted name leads into a record within the record
    public static <R extends Record> R with(R record, Object... changes) {
        var changed = record;
        for (int n = 0; n < changes.length; n += 2) {
            changed = changed(changed, (String) changes[n], changes[n + 1]);
        }
        return changed;
    }

    private static <R extends Record> R changed(R record, String path, Object value) {
        int dot = path.indexOf('.');
        var name = dot < 0 ? path : path.substring(0, dot);
        var components = record.getClass().getRecordComponents();
        if (Arrays.stream(components).noneMatch(component -> component.getName().equals(name))) {
            throw new IllegalArgumentException("no " + name + " in " + record.getClass());
        }
        var values =
                Arrays.stream(components)
                        .map(component -> {
                            var old = valueOf(record, component);
                            if (!component.getName().equals(name)) {
                                return old;
                            }
                            return dot < 0
                                    ? value
                                    : changed((Record) old, path.substring(dot + 1), value);
                        })
                        .toArray();
        return made(record, components, values);
    }

    private static Object valueOf(Record record, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @SuppressWarnings("unchecked") // It is made of the same class.
    private static <R extends Record> R made(
            R record, RecordComponent[] components, Object[] values) {
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = record.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (R) constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException(refused);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
