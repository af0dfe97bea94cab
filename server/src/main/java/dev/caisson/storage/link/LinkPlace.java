package dev.caisson.storage.link;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import java.nio.charset.StandardCharsets;

/// Target of a link: the thread or volume it leads to, and who made the link: `<place>.<maker>` in
/// its address. Links made before had the place alone; those stand for themselves.
///
/// @param place see [FileSpaces#place]
/// @param maker the beginning of a hash of the caller's id: the same for all its links, and nobody
///   learns the id from it
public record LinkPlace(String place, String maker) {
    private static final int MAKER_LENGTH = 16;

    public static LinkPlace of(Caller caller, String place) {
        var id = ("link " + caller.id()).getBytes(StandardCharsets.UTF_8);
        return new LinkPlace(place, Digests.sha256Hex(id).substring(0, MAKER_LENGTH));
    }

    public static LinkPlace parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0
                ? new LinkPlace(text, text)
                : new LinkPlace(text.substring(0, dot), text.substring(dot + 1));
    }

    public String text() {
        return maker.equals(place) ? place : place + "." + maker;
    }
}
