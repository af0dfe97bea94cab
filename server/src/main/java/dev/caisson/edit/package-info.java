/// Middle: changes of texts by what stands in them: matching in grades, patches, line endings. It
/// knows neither files nor callers.
@NullMarked
package dev.caisson.edit;

import org.jspecify.annotations.NullMarked;
