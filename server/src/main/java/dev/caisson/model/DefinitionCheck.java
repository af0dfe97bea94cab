package dev.caisson.model;

import dev.caisson.call.NearName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Check of one definition by itself: names, and whether members of a slot fit its type.
final class DefinitionCheck {
    private static final Pattern CLASS_NAME =
            Pattern.compile("[a-z][a-z0-9-]{0,30}/[A-Z][A-Za-z0-9]{0,62}");
    private static final Pattern SLOT_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    private static final Set<String> RESERVED_NAMESPACES =
            Set.of("sys", "core", "schema", "workflow");

    /// Members that every entity has beside its slots.
    static final List<String> RESERVED_SLOTS =
            List.of(
                    "id",
                    "ident",
                    "class",
                    "rev",
                    "label",
                    "created_at",
                    "created_by",
                    "updated_at",
                    "updated_by",
                    "execution");

    private final ClassSpec spec;
    private final List<DefinitionMistake> mistakes = new ArrayList<>();

    private DefinitionCheck(ClassSpec spec) {
        this.spec = spec;
    }

    static List<DefinitionMistake> mistakes(ClassSpec spec) {
        var check = new DefinitionCheck(spec);
        check.checkClass();
        spec.slotList().forEach(check::checkSlot);
        return check.mistakes;
    }

    private void add(Optional<String> slot, String message) {
        mistakes.add(new DefinitionMistake(spec.name(), slot, message));
    }

    private void require(boolean holds, SlotSpec slot, String message) {
        if (!holds) {
            add(Optional.of(slot.name()), message);
        }
    }

    private void checkClass() {
        var name = spec.name();
        if (!CLASS_NAME.matcher(name).matches()) {
            add(
                    Optional.empty(),
                    "a name is a namespace, a slash and a name that begins with a capital, such as lab/Sample");
        } else if (RESERVED_NAMESPACES.contains(name.substring(0, name.indexOf('/')))) {
            add(
                    Optional.empty(),
                    "the namespaces core, schema, sys and workflow belong to the product");
        }
        var names = new HashSet<String>();
        var parents = spec.parentList();
        if (new HashSet<>(parents).size() < parents.size()) {
            add(Optional.empty(), "has a parent twice");
        }
        for (var slot : spec.slotList()) {
            require(names.add(slot.name()), slot, "is there twice");
        }
    }

    private void checkSlot(SlotSpec slot) {
        require(
                SLOT_NAME.matcher(slot.name()).matches(),
                slot,
                "a name is a lower-case letter and then lower-case letters, digits and _");
        require(
                !RESERVED_SLOTS.contains(slot.name()),
                slot,
                "this name means the same for every entity, choose another");
        checkType(slot);
        checkReference(slot);
        checkList(slot);
        checkRules(slot);
    }

    private static boolean is(Datatype type, SlotSpec slot) {
        return slot.type() == type;
    }

    private void checkType(SlotSpec slot) {
        require(
                is(Datatype.ENUM, slot) == slot.values().isPresent(),
                slot,
                "values are the words of an enum, and an enum needs them");
        slot.values()
                .ifPresent(words ->
                        require(
                                !words.isEmpty()
                                        && new HashSet<>(words).size() == words.size()
                                        && words.stream().allMatch(DefinitionCheck::isWord),
                                slot,
                                "values are at least one word, each once, of 1 to 100 characters"));
        require(
                slot.schema().isEmpty() || is(Datatype.JSON, slot),
                slot,
                "schema belongs to the type json");
        require(
                slot.type().isIndexable() || !slot.isIndexed(),
                slot,
                "index and unique need another type than " + slot.type().word());
        require(
                !slot.isSearched() || slot.type().isText() || is(Datatype.ENUM, slot),
                slot,
                "search reads string, text, uri and enum");
    }

    private static boolean isWord(String word) {
        return !word.isBlank() && word.length() <= 100 && word.indexOf('\0') < 0;
    }

    private void checkReference(SlotSpec slot) {
        var isRef = is(Datatype.REF, slot);
        require(slot.target().isEmpty() || isRef, slot, "class belongs to the type ref");
        require(slot.onDelete().isEmpty() || isRef, slot, "on_delete belongs to the type ref");
        require(slot.supersedes().isEmpty() || isRef, slot, "supersedes belongs to the type ref");
        slot.inverse()
                .ifPresent(name ->
                        require(
                                slot.target().isPresent()
                                        && SLOT_NAME.matcher(name).matches()
                                        && !RESERVED_SLOTS.contains(name),
                                slot,
                                "inverse is a name like that of a slot, and its ref needs a class"));
    }

    private void checkList(SlotSpec slot) {
        var many = SlotSpec.isSet(slot.many());
        require(
                many
                        || (slot.minItems().isEmpty()
                                && slot.maxItems().isEmpty()
                                && slot.distinct().isEmpty()),
                slot,
                "min_items, max_items and distinct belong to a list (many)");
        require(!many || !SlotSpec.isSet(slot.unique()), slot, "a list cannot be unique");
        require(
                slot.minItems().orElse(0) <= slot.maxItems().orElse(Integer.MAX_VALUE),
                slot,
                "min_items is more than max_items");
    }

    private void checkRules(SlotSpec slot) {
        require(
                (slot.min().isEmpty() && slot.max().isEmpty()) || slot.type().isOrdered(),
                slot,
                "min and max belong to integer, number, date and datetime");
        require(
                (slot.regex().isEmpty() && slot.length().isEmpty()) || slot.type().isText(),
                slot,
                "regex and length belong to string, text and uri");
        try {
            var rules = SlotRule.of(slot);
            slot.preset().ifPresent(preset -> checkPreset(slot, rules));
        } catch (IllegalArgumentException wrong) {
            add(Optional.of(slot.name()), String.valueOf(wrong.getMessage()));
        }
    }

    private void checkPreset(SlotSpec slot, List<SlotRule> rules) {
        if (slot.preset().filter(Presets::isComputed).isPresent()) {
            require(Presets.fits(slot), slot, Presets.EXPECTED);
            return;
        }
        require(!is(Datatype.REF, slot), slot, "a ref has no default");
        for (var value : Presets.literals(slot)) {
            var form = ValueForm.of(slot.type(), value);
            require(form.isPresent(), slot, "default must be " + ValueForm.expected(slot.type()));
            form.stream()
                    .flatMap(each -> rules.stream().flatMap(rule -> rule.complaint(each).stream()))
                    .forEach(why -> add(Optional.of(slot.name()), "default " + why));
        }
    }

    /// A name and one that there is and is like it.
    static String unknown(String what, String name, List<String> known) {
        return what
                + " "
                + name
                + " is not there"
                + NearName.of(name, known).map("; do you mean %s?"::formatted).orElse("");
    }
}
