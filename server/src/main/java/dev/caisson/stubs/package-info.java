/// Room `stubs`: tools as functions of programs: their names, types and files, as text. Pure: it
/// neither calls a tool nor touches a disk.
@NullMarked
package dev.caisson.stubs;

import org.jspecify.annotations.NullMarked;
