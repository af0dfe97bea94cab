/// Ground: the listener. Sockets, limits, streams; nobody else sees the HTTP library.
@NullMarked
package dev.caisson.http;

import org.jspecify.annotations.NullMarked;
