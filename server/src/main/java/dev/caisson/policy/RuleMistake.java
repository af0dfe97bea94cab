package dev.caisson.policy;

import java.util.OptionalInt;

/// Mistake in the rules that somebody wrote.
///
/// @param place its member, such as `when.effect`
/// @param problem what is wrong, as a clause
/// @param remedy what to do, as a sentence
/// @param line of the file
record RuleMistake(String place, String problem, String remedy, OptionalInt line) {
    RuleMistake(String place, String problem, String remedy) {
        this(place, problem, remedy, OptionalInt.empty());
    }

    /// The same of one rule among others.
    RuleMistake of(String rule, OptionalInt newLine) {
        return new RuleMistake(rule + ": " + place, problem, remedy, newLine);
    }

    String sentence() {
        var where = line.isPresent() ? "Line " + line.getAsInt() + ": " : "";
        return where + place + " " + problem + ". " + remedy;
    }
}
