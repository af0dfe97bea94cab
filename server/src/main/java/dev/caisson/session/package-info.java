/// Sessions: interpreters that live between calls: whose they are, how many, and for how long.
@NullMarked
package dev.caisson.session;

import org.jspecify.annotations.NullMarked;
