package dev.serval.servlet.async;

/// The asynchronous side of a request whose application has not asked for one. Immutable.
enum NotAsync implements AsyncPart {
    INSTANCE;

    @Override
    public boolean isStarted() {
        return false;
    }

    @Override
    public AsyncStep next() {
        return AsyncStep.END;
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public void fail() {}

    @Override
    public void end() {}

    /// Returns false, because the container thread is inside and finds out by itself.
    @Override
    public boolean aborted() {
        return false;
    }

    @Override
    public void dropUpgrade() {}
}
