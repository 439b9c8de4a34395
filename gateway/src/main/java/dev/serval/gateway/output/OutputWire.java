package dev.serval.gateway.output;

import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.cgi.VariableForm;
import dev.serval.gateway.relay.ContentFraming;
import dev.serval.net.Output;

/// A protocol that sends variables and content to an application, and gets its output. Stateless.
public interface OutputWire {
    /// Returns how variables are written.
    VariableForm form();

    /// Adds the variables that belong to the protocol itself.
    void addOwn(VariableBuffer out);

    /// Writes the start of a request, up to its content.
    void begin(Output out, VariableBuffer variables);

    /// Returns how content is written.
    ContentFraming framing();

    /// Creates a codec for answers.
    OutputCodec newCodec();

    /// Returns whether a connection serves several requests.
    boolean keepsConnections();
}
