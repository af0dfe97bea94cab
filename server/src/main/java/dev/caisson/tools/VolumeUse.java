package dev.caisson.tools;

import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.storage.Access;

/// A volume that a run wants to have.
record VolumeUse(
        @Describe("The name of the volume.") @Length(min = 1, max = 63) String name,
        @Describe("write lets the program change its files.") @DefaultsTo("read") Access access) {}
