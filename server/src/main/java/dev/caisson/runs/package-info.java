/// The run service: takes a request for a run to its recorded end.
///
/// It has some forty files because each step of a run is one, and tools and REST use the types of
/// its report.
@NullMarked
package dev.caisson.runs;

import org.jspecify.annotations.NullMarked;
