/// Ground: metrics, logs and the trace of a call.
@NullMarked
package dev.caisson.telemetry;

import org.jspecify.annotations.NullMarked;
