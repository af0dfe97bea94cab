/// REST: the routes, what they take and give, and the document that describes them.
@NullMarked
package dev.caisson.rest;

import org.jspecify.annotations.NullMarked;
