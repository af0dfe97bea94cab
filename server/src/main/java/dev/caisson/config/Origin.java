package dev.caisson.config;

import java.nio.file.Path;

/// Origin of a configuration value (file and line, variable, flag), so that a person knows where to
/// change it.
public sealed interface Origin {
    /// The words for it.
    String words();

    record Default() implements Origin {
        @Override
        public String words() {
            return "default";
        }
    }

    record ConfigFile(Path file, int line) implements Origin {
        @Override
        public String words() {
            return file + ":" + line;
        }
    }

    record Environment(String variable) implements Origin {
        @Override
        public String words() {
            return "environment " + variable;
        }
    }

    record Flag(String flag) implements Origin {
        @Override
        public String words() {
            return "flag " + flag;
        }
    }
}
