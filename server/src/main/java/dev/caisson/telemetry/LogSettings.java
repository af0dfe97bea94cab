package dev.caisson.telemetry;

import dev.caisson.config.Key;
import java.util.Locale;
import org.slf4j.event.Level;

/// Settings of the log.
public record LogSettings(
        @Key(
                        name = "log.level",
                        initial = "info",
                        choices = {"error", "warn", "info", "debug"},
                        doc = "The least severe level that is written.")
                String word,
        @Key(
                        name = "log.format",
                        initial = "auto",
                        doc =
                                "The form of the log: `text` is short lines for people, `json` one object"
                                        + " a line; `auto` is text on a terminal and JSON elsewhere."
                                        + " `NO_COLOR` in the environment takes the colours out.")
                Format format) {
    /// Form of the lines of the log.
    public enum Format {
        AUTO,
        TEXT,
        JSON
    }

    public Level level() {
        return Level.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
