package dev.serval.lrwp.peer;

import java.io.IOException;

/// The agent refused a registration. The message has the agent's own text.
public final class LrwpRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    LrwpRefusedException(String message) {
        super(message);
    }
}
