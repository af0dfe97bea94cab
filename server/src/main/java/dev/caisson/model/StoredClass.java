package dev.caisson.model;

import java.util.Map;

/// Class as it is stored: what its definition says, and the numbers of the slots that it declares.
record StoredClass(long number, ClassSpec spec, Map<String, Long> slotNumbers) {
    StoredClass {
        slotNumbers = Map.copyOf(slotNumbers);
    }

    String name() {
        return spec.name();
    }
}
