package dev.serval.handler;

import java.util.Set;

/// Calls another Handler for every method but TRACE.
///
/// @param handler the Handler to call
record EveryMethod(Handler handler) implements Handler {
    @Override
    public void handle(Exchange x) {
        handler.handle(x);
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    @Override
    public Set<String> connectProtocols() {
        return handler.connectProtocols();
    }
}
