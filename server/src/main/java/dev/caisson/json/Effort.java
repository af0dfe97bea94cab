package dev.caisson.json;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

/// Effort limit of one schema validation. A schema that refers to itself without end, or whose
/// branches double at each level, is stopped here, whatever its size.
final class Effort extends ExecutionContext {
    /// How many keywords and members may be looked at: about a second's worth.
    static final int STEPS_MAX = 1_000_000;

    /// How deep keywords may lead into each other, which includes the depth of the value.
    static final int DEPTH_MAX = 1_000;

    private static final ExecutionConfig CONFIG =
            ExecutionConfig.builder().formatAssertionsEnabled(false).build();

    private int steps;
    private int depth;

    Effort() {
        super(CONFIG);
    }

    /// Ends a validation.
    static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String sentence;

        Exceeded(String sentence) {
            super(sentence, null, false, false);
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    @Override
    public void evaluationPathAddLast(String keyword) {
        step();
        super.evaluationPathAddLast(keyword);
    }

    @Override
    public void evaluationPathAddLast(int index) {
        step();
        super.evaluationPathAddLast(index);
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    private void step() {
        steps++;
        depth++;
        if (steps > STEPS_MAX) {
            throw new Exceeded("the value takes more than " + STEPS_MAX + " steps to check");
        }
        if (depth > DEPTH_MAX) {
            throw new Exceeded("the value takes more than " + DEPTH_MAX + " levels to check");
        }
    }
}
