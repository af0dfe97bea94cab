package dev.caisson.store;

import com.zaxxer.hikari.HikariConfig;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/// A database of a PostgreSQL server, which several processes may share.
record PostgresEngine(DatabaseUrl url) implements DatabaseEngine {
    /// How long a caller waits for a server that is away.
    static final Duration CONNECT_WAIT = Duration.ofSeconds(2);

    /// How long one statement may take before its connection counts as lost.
    static final Duration ANSWER_WAIT = Duration.ofSeconds(30);

    /// A server that was told to forget the last commits in a crash is overruled; one that was told
    /// to do more than we ask is not.
    private static final String DURABLE =
            "SELECT set_config('synchronous_commit', 'on', false)"
                    + " WHERE current_setting('synchronous_commit') = 'off'";

    /// The classes of SQLSTATE that mean the server, not the statement: connection, authorisation,
    /// no such database, resources, operator's intervention, system.
    private static final Set<String> SERVERS_FAULT = Set.of("08", "28", "3D", "53", "57", "58");

    private static final int CLASS_LENGTH = 2;

    @Override
    public boolean hasOneDirectory() {
        return false;
    }

    @Override
    public String place() {
        return url.toString();
    }

    /// Without a limit on one statement: an upgrade may take its time.
    @Override
    public HikariConfig upgrading() {
        return pool(Duration.ZERO);
    }

    @Override
    public String exactText() {
        return "COLLATE \"C\"";
    }

    /// Flyway takes an advisory lock of the server.
    @Override
    public Turn upgradeTurn() {
        return () -> {};
    }

    @Override
    public HikariConfig writing() {
        var config = pool(ANSWER_WAIT);
        config.setConnectionInitSql(DURABLE);
        return config;
    }

    @Override
    public void writeAlone(Handle handle) {
        handle.execute(
                "SELECT pg_advisory_xact_lock(hashtext('caisson'), hashtext(current_schema()))");
    }

    @Override
    public HikariConfig reading() {
        var config = pool(ANSWER_WAIT);
        config.setReadOnly(true);
        config.addDataSourceProperty("readOnlyMode", "always");
        return config;
    }

    @Override
    public Optional<Refusal> refusal(SQLException failure) {
        var state = Optional.ofNullable(failure.getSQLState()).orElse("");
        return state.length() > CLASS_LENGTH
                        && SERVERS_FAULT.contains(state.substring(0, CLASS_LENGTH))
                ? Optional.of(
                        new Refusal(
                                Reason.UNAVAILABLE,
                                "The database "
                                        + url
                                        + " cannot be used ("
                                        + failure.getMessage()
                                        + "). Look at its server, and at the user and the"
                                        + " password."))
                : Optional.empty();
    }

    private HikariConfig pool(Duration answerWait) {
        var config = new HikariConfig();
        config.setJdbcUrl(url.jdbc());
        url.user().ifPresent(config::setUsername);
        url.password().ifPresent(config::setPassword);
        config.setConnectionTimeout(CONNECT_WAIT.toMillis());
        config.addDataSourceProperty("ApplicationName", "caisson");
        config.addDataSourceProperty("connectTimeout", Long.toString(CONNECT_WAIT.toSeconds()));
        config.addDataSourceProperty("socketTimeout", Long.toString(answerWait.toSeconds()));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        // Details show rows: what is written may be a program, and failures are logged.
        config.addDataSourceProperty("logServerErrorDetail", "false");
        return config;
    }
}
