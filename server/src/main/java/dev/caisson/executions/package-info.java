/// The durable record of every run: what was asked, and how it ended.
@NullMarked
package dev.caisson.executions;

import org.jspecify.annotations.NullMarked;
