package dev.serval.metrics;

import java.util.Locale;

/// The phases of a request, one after the other. A request that is answered in the turn in which its
/// head arrived has no phases, because each of them would be shorter than the loop can measure.
public enum RequestPhase {
    /// From the first byte of the request to the end of its head: the client and the network.
    HEAD,
    /// From there to the start of the code or the peer that answers: the server is busy.
    QUEUE,
    /// From there to the head of the response: the application, the disk or the peer.
    HANDLER,
    /// From there to the end of the response: content that is made or waits for the client.
    WRITE;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// Returns the name in exports.
    public String text() {
        return text;
    }
}
