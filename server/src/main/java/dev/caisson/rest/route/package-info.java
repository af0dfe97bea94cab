/// Chamber of `rest`: declaration of routes, and the OpenAPI document that follows from it.
@NullMarked
package dev.caisson.rest.route;

import org.jspecify.annotations.NullMarked;
