/// Ground: metrics, logs, faults and spans.
@NullMarked
package dev.caisson.telemetry;

import org.jspecify.annotations.NullMarked;
