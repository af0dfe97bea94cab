/// Processes: everything that takes time, with its state and its history.
@NullMarked
package dev.caisson.workflow;

import org.jspecify.annotations.NullMarked;
