package dev.caisson.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Declaration of configuration keys that an operator names, on a record component that is a map
/// from names to records: `profiles.small.memory_bytes` is the key `memory_bytes` of the record
/// `small`. The components of those records have a [Key] with the last part of the name; one that
/// is a map from text to text takes every key below its own.
///
/// Only the file and flags set them: a variable of the environment cannot tell where a name ends.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface KeyFamily {
    /// What stands before the name, such as `profiles`.
    String name();
}
