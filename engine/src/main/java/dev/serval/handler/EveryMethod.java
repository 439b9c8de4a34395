package dev.serval.handler;

/// A Handler that is called for every method.
///
/// @param handler what it calls
record EveryMethod(Handler handler) implements Handler {
    @Override
    public void handle(Exchange x) {
        handler.handle(x);
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }
}
