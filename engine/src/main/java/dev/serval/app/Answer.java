package dev.serval.app;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;

/// The response that a handler chose. The loop sends it after the handler returned. Used once.
///
/// @param send sends the response, on the loop
/// @param dropped releases what `send` would have used; runs if `send` never does
record Answer(Handler send, Runnable dropped) {
    /// Stands for no answer.
    static final Answer NONE = of(_ -> {});

    static Answer of(Handler send) {
        return new Answer(send, Answer::nothing);
    }

    /// Returns the answer that sends a whole response.
    static Answer of(ResponseHead head, Body body) {
        return new Answer(new Whole(head, body), Answer::nothing);
    }

    /// Returns this answer with additional fields in its head.
    Answer with(Fields fields) {
        return new Answer(new WithFields(fields, send), dropped);
    }

    private static void nothing() {}

    private record WithFields(Fields fields, Handler send) implements Handler {
        @Override
        public void handle(Exchange x) {
            EngineExchange.of(x).addFields(fields);
            send.handle(x);
        }
    }

    private record Whole(ResponseHead head, Body body) implements Handler {
        @Override
        public void handle(Exchange x) {
            x.response().send(head, body);
        }
    }
}
