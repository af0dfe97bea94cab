package dev.caisson.store;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.nio.file.Path;
import java.util.Optional;

/// Settings of what lasts: the data directory and the database.
///
/// @param directory its default depends on the user
/// @param threads the files of threads, if they are not in the data directory
/// @param databaseUrl of a PostgreSQL database; without it the database is a file
public record DataSettings(
        @Key(name = "data.directory", doc = "Where everything that lasts is kept.") Path directory,
        @Key(
                        name = "data.threads_directory",
                        alsoFrom = "SANDBOX_ROOT",
                        doc =
                                "Where the files of threads are kept; `threads` in data.directory if"
                                        + " absent.")
                Optional<Path> threads,
        @Key(
                        name = "data.database_url",
                        form = Form.DATABASE,
                        secret = true,
                        doc =
                                "A PostgreSQL database to use in place of the file in"
                                        + " data.directory.")
                Optional<String> databaseUrl,
        @Key(
                        name = "data.database_user",
                        max = "100",
                        doc = "Whose name to use at data.database_url.")
                Optional<String> databaseUser,
        @Key(
                        name = "data.database_password",
                        min = "1",
                        form = Form.SECRET,
                        secret = true,
                        doc = "The password of data.database_user.")
                Optional<String> databasePassword) {
    public DataSettings {
        if (databaseUrl.isEmpty() && databaseUser.or(() -> databasePassword).isPresent()) {
            throw new Contradiction(
                    databaseUser.isPresent() ? "data.database_user" : "data.database_password",
                    "stands without data.database_url",
                    "Set data.database_url too, or leave it out.");
        }
    }

    /// The files of threads.
    public Path threadsDirectory() {
        return threads.orElse(directory.resolve("threads"));
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "DataSettings[directory=" + directory + "]";
    }
}
