package dev.serval.servlet.run;

/// One visit of a container thread to a request.
sealed interface Visit permits TimedVisit, Visit.Unlimited {
    /// A visit that may take any time.
    Visit UNLIMITED = new Unlimited();

    /// The kind of [#UNLIMITED].
    record Unlimited() implements Visit {
        @Override
        public boolean isOverdue() {
            return false;
        }

        @Override
        public void leave() {}
    }

    /// Returns whether the visit took too long, so that its request is ended.
    boolean isOverdue();

    /// Ends the visit, on its thread.
    void leave();
}
