package dev.caisson.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;

/// Binding of configuration values to a tree of records. A component with a [Key] takes its value,
/// one with [Fixed] the value that stands there, one with a [KeyFamily] a record for each name, and
/// one that is a record itself is bound in turn.
///
/// Every component is read before anything is made, so that all mistakes are found at once.
final class Binder {
    private final Values values;

    Binder(Values values) {
        this.values = values;
    }

    /// @return empty when a record of the tree refused its values; the mistake is noted
    <R extends Record> Optional<R> bind(Class<R> type) {
        var arguments =
                Arrays.stream(type.getRecordComponents()).<Optional<?>>map(this::argument).toList();
        return arguments.stream().allMatch(Optional::isPresent)
                ? values.make(() -> make(type, arguments.stream().map(Optional::get).toArray()))
                : Optional.empty();
    }

    private Optional<?> argument(RecordComponent component) {
        var key = component.getAnnotation(Key.class);
        var fixed = component.getAnnotation(Fixed.class);
        var family = component.getAnnotation(KeyFamily.class);
        if (family != null) {
            return Optional.of(
                    new FamilyBinder(values.declarations().family(family.name()), values).bind());
        } else if (key != null) {
            return Optional.of(values.get(values.declarations().get(key.name())));
        } else if (fixed != null) {
            return Optional.of(ComponentType.ofFixed(component).read(fixed.value()));
        } else if (component.getType().isRecord()) {
            return bind(component.getType().asSubclass(Record.class));
        }
        throw new IllegalArgumentException(component + " has neither a key nor a fixed value");
    }

    static <R extends Record> R make(Class<R> type, Object[] arguments) {
        try {
            var types =
                    Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new);
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException("cannot make " + type, refused);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot make " + type, failure);
        }
    }
}
