package dev.caisson.tools;

import dev.caisson.config.Key;

/// Settings of the tool `run_code`.
///
/// @param rawOutput whether its answer has content of a type the protocol does not know
public record RunCodeSettings(
        @Key(
                        name = "sandbox.raw_output",
                        initial = "false",
                        doc =
                                "Whether run_code answers with content of type output; strict clients"
                                        + " refuse it.")
                boolean rawOutput) {
    public RunCode.Form form() {
        return rawOutput ? RunCode.Form.OUTPUT : RunCode.Form.TEXT;
    }
}
