package dev.caisson.cli;

import dev.caisson.call.Toolset;
import java.util.ArrayList;

/// Names of all toolsets, for the help of options.
final class ToolsetNames extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    ToolsetNames() {
        super(Toolset.words());
    }
}
