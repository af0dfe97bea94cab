package dev.caisson.storage;

import dev.caisson.call.Caller;
import java.nio.charset.StandardCharsets;

/// Which of all threads or volumes a link leads to, and who made the link: `<place>.<maker>` in its
/// address. Links made before had the place alone; those stand for themselves.
///
/// @param place see [FileSpaces#place]
/// @param maker the beginning of a hash of the caller's id: the same for all its links, and nobody
///   learns the id from it
record LinkPlace(String place, String maker) {
    private static final int MAKER_LENGTH = 16;

    static LinkPlace of(Caller caller, String place) {
        var id = ("link " + caller.id()).getBytes(StandardCharsets.UTF_8);
        return new LinkPlace(place, Handles.hash(id).substring(0, MAKER_LENGTH));
    }

    static LinkPlace parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0
                ? new LinkPlace(text, text)
                : new LinkPlace(text.substring(0, dot), text.substring(dot + 1));
    }

    String text() {
        return maker.equals(place) ? place : place + "." + maker;
    }
}
