/// Chamber of `rest`: runs, executions and their output.
@NullMarked
package dev.caisson.rest.runs;

import org.jspecify.annotations.NullMarked;
