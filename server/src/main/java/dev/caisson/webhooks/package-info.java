/// Results that are sent to an address the caller named: signed, tried again, and never to a place
/// inside.
@NullMarked
package dev.caisson.webhooks;

import org.jspecify.annotations.NullMarked;
