package dev.serval.servlet.request;

import dev.serval.servlet.parameter.Parameters;
import jakarta.servlet.http.Part;
import java.util.Collection;

/// The parts of a request with multipart content.
public interface RequestParts {
    /// Returns the parts in order.
    Collection<Part> parts();

    /// Adds the parts without file names to the parameters.
    void addTo(Parameters parameters);

    /// Deletes the parts' files.
    void close();
}
