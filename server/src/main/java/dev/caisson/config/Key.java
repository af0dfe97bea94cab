package dev.caisson.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Declaration of a configuration key, on the record component that takes its value. Reading,
/// checking, `caisson config` and the tables of `docs/configuration.md` follow from it.
///
/// The type of the component says what a value can be: `boolean`, `double`, [java.time.Duration],
/// [java.nio.file.Path], [java.net.URI], a `String`, an `enum` (its constants in lower case), and
/// an [java.util.Optional], a list or a set of these. An `int` or a `long` is a size when its
/// bounds have units, and else a number.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /// Dotted, such as `http.port`; the part before the dot is the section in the documentation.
    String name();

    /// The default as an operator would write it. Empty means none.
    String initial() default "";

    /// The least value of a number, size or duration, and the least length of a secret.
    String min() default "";

    /// The greatest value of a number, size or duration, and the greatest length of a text.
    String max() default "";

    /// The words a text can be, or the items of a list.
    String[] choices() default {};

    /// For a type that does not say enough.
    Form form() default Form.OF_TYPE;

    /// Whether the value must never be shown.
    boolean secret() default false;

    /// An environment variable that sets it too, as other servers name it.
    String alsoFrom() default "";

    /// One or two sentences for the documentation.
    String doc();
}
