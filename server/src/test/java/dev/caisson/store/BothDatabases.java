package dev.caisson.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Test classes with this annotation run once on SQLite and once on PostgreSQL. Their only
/// parameter is the [TestDatabase.Kind].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ParameterizedClass
@EnumSource(TestDatabase.Kind.class)
@Tag("postgres")
public @interface BothDatabases {}
