/// Chamber of `rest`: upstreams, the review of their tools, the catalogue of all tools.
@NullMarked
package dev.caisson.rest.tools;

import org.jspecify.annotations.NullMarked;
