package dev.serval.app;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.ResponseHead;

/// How an exchange ends, on its loop, after its handler returned. Used once.
///
/// @param send the loop's part
/// @param dropped gives back what `send` would have used, if it is never called
record Answer(Handler send, Runnable dropped) {
    static Answer of(Handler send) {
        return new Answer(send, Answer::nothing);
    }

    /// A whole response.
    static Answer of(ResponseHead head, Body body) {
        return new Answer(new Whole(head, body), Answer::nothing);
    }

    private static void nothing() {}

    private record Whole(ResponseHead head, Body body) implements Handler {
        @Override
        public void handle(Exchange x) {
            x.response().send(head, body);
        }
    }
}
