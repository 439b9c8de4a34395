package dev.serval.handler;

import java.util.Set;

/// Names the protocols for which another Handler opens tunnels.
///
/// @param handler the Handler to call
/// @param connectProtocols as [Handler#connectProtocols]
record ConnectHandler(Handler handler, Set<String> connectProtocols) implements Handler {
    @Override
    public void handle(Exchange x) {
        handler.handle(x);
    }

    @Override
    public boolean takesOtherMethods() {
        return handler.takesOtherMethods();
    }

    @Override
    public boolean takesTrace() {
        return handler.takesTrace();
    }
}
