package dev.caisson.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Derivation of a [Type] from a record component: its Java type, its bounds and its form.
final class ComponentType {
    private static final Bounds NONE = new Bounds("", "", List.of(), Form.OF_TYPE);
    private static final int SECRET_LENGTH_MIN = 8;
    private static final int TEXT_LENGTH_MAX = 1024;

    private record Bounds(String min, String max, List<String> choices, Form form) {
        static Bounds of(Key key) {
            return new Bounds(key.min(), key.max(), List.of(key.choices()), key.form());
        }

        String min(String otherwise) {
            return min.isEmpty() ? otherwise : min;
        }

        String max(String otherwise) {
            return max.isEmpty() ? otherwise : max;
        }

        /// Whether they are written with a unit, or not at all.
        boolean haveUnits() {
            return max.isEmpty() || !Character.isDigit(max.charAt(max.length() - 1));
        }
    }

    private ComponentType() {}

    static Type<?> of(RecordComponent component, Key key) {
        return of(component.getGenericType(), Bounds.of(key));
    }

    /// Of a value that is written in the code.
    static Type<?> ofFixed(RecordComponent component) {
        return of(component.getGenericType(), NONE);
    }

    private static Type<?> of(java.lang.reflect.Type type, Bounds bounds) {
        return switch (type) {
            case ParameterizedType generic -> composed(generic, bounds);
            case Class<?> plain when plain.isEnum() ->
                    Types.oneOf(words(plain)).map(word -> constant(plain, word));
            case Class<?> plain -> scalar(plain, bounds);
            default -> throw unsupported(type);
        };
    }

    private static Type<?> composed(ParameterizedType type, Bounds bounds) {
        var raw = type.getRawType();
        var item = type.getActualTypeArguments()[0];
        if (raw.equals(Optional.class)) {
            return Types.optional(of(item, bounds));
        } else if (raw.equals(List.class)) {
            return list(item, bounds);
        } else if (raw.equals(Set.class)) {
            return list(item, bounds).map(Set::copyOf);
        } else if (raw.equals(Map.class)) {
            return Types.HEADERS;
        }
        throw unsupported(type);
    }

    private static Type<? extends List<?>> list(java.lang.reflect.Type item, Bounds bounds) {
        if (item instanceof Class<?> plain && plain.isEnum()) {
            var words = words(plain);
            var texts =
                    bounds.form() == Form.ALL_OR_SOME
                            ? Types.allOrSomeOf(words)
                            : Types.someOf(words);
            return texts.map(each(word -> constant(plain, word)));
        } else if (item.equals(Duration.class)) {
            return Types.LIST.map(each(of(item, bounds)::read));
        } else if (!bounds.choices().isEmpty()) {
            return Types.someOf(bounds.choices());
        }
        return switch (bounds.form()) {
            case ORIGIN -> Types.ORIGINS;
            case NETWORK -> Types.NETWORKS;
            case SECRET -> Types.SECRETS;
            case OF_TYPE -> Types.LIST;
            case HOST, ENDPOINT, DATABASE, ALL_OR_SOME -> throw unsupported(item);
        };
    }

    private static Type<?> scalar(Class<?> type, Bounds bounds) {
        if (type == boolean.class) {
            return Types.BOOL;
        } else if (type == int.class || type == Integer.class) {
            return bounds.haveUnits() ? size(bounds).map(Math::toIntExact) : number(bounds);
        } else if (type == long.class || type == Long.class) {
            return size(bounds);
        } else if (type == double.class || type == Double.class) {
            return Types.decimal(
                    Double.parseDouble(bounds.min("0")), Double.parseDouble(bounds.max("1e9")));
        } else if (type == Duration.class) {
            return Types.duration(bounds.min("0s"), bounds.max("36500d"));
        } else if (type == Path.class) {
            return Types.PATH;
        } else if (type == URI.class) {
            return bounds.form() == Form.ENDPOINT ? Types.ENDPOINT : Types.BASE_URL;
        } else if (type == String.class) {
            return text(bounds);
        }
        throw unsupported(type);
    }

    private static Type<Long> size(Bounds bounds) {
        return Types.size(bounds.min("0B"), bounds.max("1048576TiB"));
    }

    private static Type<Integer> number(Bounds bounds) {
        return Types.number(Integer.parseInt(bounds.min()), Integer.parseInt(bounds.max()));
    }

    private static Type<String> text(Bounds bounds) {
        if (!bounds.choices().isEmpty()) {
            return Types.oneOf(bounds.choices());
        }
        return switch (bounds.form()) {
            case HOST -> Types.HOST;
            case DATABASE -> Types.DATABASE;
            case SECRET -> Types.secret(Integer.parseInt(bounds.min("" + SECRET_LENGTH_MIN)));
            case OF_TYPE -> Types.text(Integer.parseInt(bounds.max("" + TEXT_LENGTH_MAX)));
            case ORIGIN, NETWORK, ENDPOINT, ALL_OR_SOME -> throw unsupported(String.class);
        };
    }

    private static Function<List<String>, List<?>> each(Function<String, ?> item) {
        return items -> items.stream().map(item).toList();
    }

    private static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(ComponentType::word).toList();
    }

    private static Object constant(Class<?> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> word(constant).equals(word))
                .findFirst()
                .orElseThrow();
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException unsupported(java.lang.reflect.Type type) {
        return new IllegalArgumentException("no configuration key can be a " + type.getTypeName());
    }
}
