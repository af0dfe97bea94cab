package dev.caisson.runs;

import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.storage.VolumeAccess;

/// Volume that a run asks to have mounted.
public record VolumeUse(
        @Describe("The name of the volume.") @Length(min = 1, max = 63) String name,
        @Describe("write lets the program change its files.") @DefaultsTo("read")
                VolumeAccess access) {}
