package dev.caisson.call;

/// Handle on data that is on its way to the disk.
public interface Durable {
    /// What nobody has to wait for.
    Durable NOW =
            new Durable() {
                @Override
                public void await() {}

                @Override
                public boolean isWaiting() {
                    return false;
                }

                @Override
                public void then(Next next) {
                    next.after(true);
                }
            };

    /// What never will be.
    static Durable failed(RuntimeException why) {
        return new Durable() {
            @Override
            public void await() {
                throw why;
            }

            @Override
            public boolean isWaiting() {
                return false;
            }

            @Override
            public void then(Next next) {
                next.after(false);
            }
        };
    }

    /// Returns when it is durable, and throws what kept it from being so.
    void await();

    /// Whether it will still share the next commit with others.
    boolean isWaiting();

    /// Does something when it is durable or never will be.
    void then(Next next);

    /// What is done then. It must neither take long nor throw.
    @FunctionalInterface
    interface Next {
        /// @param durable whether it is
        void after(boolean durable);
    }
}
