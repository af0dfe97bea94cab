/// Chamber of `rest`: threads, volumes, files and signed links.
@NullMarked
package dev.caisson.rest.files;

import org.jspecify.annotations.NullMarked;
