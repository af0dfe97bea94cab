package dev.caisson.broker;

import dev.caisson.call.Caller;
import java.util.Collection;
import java.util.List;

/// Source of prompts.
@FunctionalInterface
public interface PromptSource {
    /// The prompts this caller sees.
    List<Prompt> prompts(Caller caller);

    /// The same for every caller.
    static PromptSource of(Collection<? extends Prompt> prompts) {
        var all = List.<Prompt>copyOf(prompts);
        return _ -> all;
    }
}
