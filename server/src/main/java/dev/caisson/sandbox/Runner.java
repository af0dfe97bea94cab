package dev.caisson.sandbox;

import java.util.Optional;

/// A language made ready to run.
///
/// @param name unique, such as `python`
/// @param version as the interpreter itself says it
/// @param image what it is made of: `host`, or the name of an image directory
public record Runner(String name, Language language, String version, String image) {
    /// A runner that could not be made ready, and what to do about it.
    public record Missing(Language language, String why, String remedy) {}

    public Optional<String> imageName() {
        return "host".equals(image) ? Optional.empty() : Optional.of(image);
    }
}
