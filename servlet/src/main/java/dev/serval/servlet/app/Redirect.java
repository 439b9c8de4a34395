package dev.serval.servlet.app;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;

/// Answers with a redirect, on the loop.
final class Redirect {
    private Redirect() {}

    static void send(Exchange x, String location) {
        x.response()
                .send(
                        new ResponseHead(Status.FOUND, Fields.of(FieldName.LOCATION, location), 0),
                        Body.Empty.EMPTY);
    }
}
