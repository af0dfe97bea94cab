/// Ground: search in short texts by their words. It knows nothing of what the texts are about.
@NullMarked
package dev.caisson.search;

import org.jspecify.annotations.NullMarked;
