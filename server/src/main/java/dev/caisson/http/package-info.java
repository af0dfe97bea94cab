/// Ground: the listener. Sockets, limits, streams; nobody else sees the HTTP library.
///
/// It has some forty files because every limit on a connection, a request or an answer is a small
/// type of its own.
@NullMarked
package dev.caisson.http;

import org.jspecify.annotations.NullMarked;
