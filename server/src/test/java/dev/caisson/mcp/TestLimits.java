package dev.caisson.mcp;

import java.util.Arrays;
import java.util.Map;

/// Limits that a test can reach: the defaults with some of them changed, by name.
final class TestLimits {
    private TestLimits() {}

    static McpLimits with(Map<String, Object> changed) {
        var components = McpLimits.class.getRecordComponents();
        var names = Arrays.stream(components).map(component -> component.getName()).toList();
        if (!names.containsAll(changed.keySet())) {
            throw new IllegalArgumentException("no such limit among " + changed.keySet());
        }
        try {
            var values = new Object[components.length];
            var types = new Class<?>[components.length];
            for (int n = 0; n < components.length; n++) {
                var accessor = components[n].getAccessor();
                types[n] = components[n].getType();
                values[n] = changed.getOrDefault(names.get(n), accessor.invoke(McpLimits.DEFAULT));
            }
            return McpLimits.class.getDeclaredConstructor(types).newInstance(values);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
