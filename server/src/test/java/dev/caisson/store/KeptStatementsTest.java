package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptStatementsTest {
    private static final String ADD = "INSERT INTO number (value) VALUES (:value)";
    private static final String SUM = "SELECT COALESCE(SUM(value), 0) FROM number";

    @TempDir Path directory;
    private final KeptStatements statements = new KeptStatements();
    private final List<String> prepared = new CopyOnWriteArrayList<>();
    private AutoCloseable pool = () -> {};
    private Runnable evict = () -> {};
    private Jdbi jdbi = Jdbi.create("jdbc:sqlite::memory:");

    @BeforeEach
    void open() {
        var file = directory.resolve("numbers.db");
        SqliteFile.create(file);
        var config = new SqliteEngine(file).writing();
        config.setDataSource(counted(config.getDataSource()));
        var writing = Store.pool("numbers", config, 1);
        pool = writing;
        evict = writing.getHikariPoolMXBean()::softEvictConnections;
        jdbi = Jdbi.create(writing).setStatementBuilderFactory(_ -> statements);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE number (value BIGINT NOT NULL)"));
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
    }

    /// Connections that note what they prepare.
    private DataSource counted(DataSource source) {
        return proxy(
                DataSource.class,
                source,
                (_, value) ->
                        value instanceof Connection connection
                                ? proxy(Connection.class, connection, this::noted)
                                : value);
    }

    private Object noted(Object[] arguments, Object value) {
        if (value instanceof PreparedStatement) {
            prepared.add(String.valueOf(arguments[0]));
        }
        return value;
    }

    private static <T> T proxy(Class<T> type, T real, BiFunction<Object[], Object, Object> then) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            try {
                                return then.apply(arguments, method.invoke(real, arguments));
                            } catch (InvocationTargetException failure) {
                                throw failure.getCause();
                            }
                        }));
    }

    private void add(int value) {
        jdbi.useTransaction(handle -> add(handle, value));
    }

    private static void add(Handle handle, int value) {
        handle.createUpdate(ADD).bind("value", value).execute();
    }

    private long sum() {
        return jdbi.inTransaction(handle -> handle.createQuery(SUM).mapTo(Long.class).one());
    }

    @Test
    void a_statement_is_prepared_once_and_says_something_else_each_time() {
        add(1);
        add(2);
        add(4);
        assertThat(sum()).isEqualTo(7);
        assertThat(prepared).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(1);
    }

    @Test
    void another_connection_has_statements_of_its_own() {
        add(1);
        evict.run();
        add(2);
        add(4);
        assertThat(sum()).isEqualTo(7);
        assertThat(prepared).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(2);
    }

    @Test
    void one_that_failed_works_the_next_time() {
        add(1);
        assertThat(
                        fails(() ->
                                jdbi.useTransaction(handle -> {
                                    add(handle, 2);
                                    handle.createUpdate(ADD).bind("value", (Object) null).execute();
                                })))
                .isTrue();
        add(4);
        assertThat(sum()).isEqualTo(5);
    }

    private static boolean fails(Runnable work) {
        try {
            work.run();
            return false;
        } catch (RuntimeException _) {
            return true;
        }
    }

    @Test
    void the_same_statement_can_be_in_use_twice() {
        add(1);
        add(2);
        var seen =
                jdbi.inTransaction(handle ->
                        handle
                                .createQuery("SELECT value FROM number ORDER BY value")
                                .mapTo(Integer.class)
                                .stream()
                                .map(outer ->
                                        outer
                                                + handle.createQuery(
                                                                "SELECT value FROM number ORDER BY value")
                                                        .mapTo(Integer.class)
                                                        .list()
                                                        .toString())
                                .toList());
        assertThat(seen).containsExactly("1[1, 2]", "2[1, 2]");
        add(3);
        assertThat(sum()).isEqualTo(6);
    }

    @Test
    void a_batch_leaves_nothing_for_the_next() {
        jdbi.useTransaction(handle -> {
            var batch = handle.prepareBatch(ADD);
            IntStream.rangeClosed(1, 3).forEach(value -> batch.bind("value", value).add());
            batch.execute();
        });
        add(10);
        assertThat(sum()).isEqualTo(16);
    }

    @Test
    void many_different_ones_are_not_all_kept() {
        for (var i = 0; i < KeptStatements.KEPT_MAX + 10; i++) {
            var text = SUM + " WHERE value > " + i;
            jdbi.useHandle(handle -> handle.createQuery(text).mapTo(Long.class).one());
        }
        assertThat(statements.kept()).isEqualTo(KeptStatements.KEPT_MAX);
        add(1);
        assertThat(sum()).isEqualTo(1);
    }
}
