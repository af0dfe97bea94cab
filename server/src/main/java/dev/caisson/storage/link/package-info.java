/// Chamber of `storage`: contents and text of signed links.
@NullMarked
package dev.caisson.storage.link;

import org.jspecify.annotations.NullMarked;
