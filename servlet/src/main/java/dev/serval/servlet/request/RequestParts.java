package dev.serval.servlet.request;

import dev.serval.servlet.parameter.Parameters;
import jakarta.servlet.http.Part;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// The parts of a request with multipart content.
public interface RequestParts {
    /// Returns the parts in order.
    Collection<Part> parts();

    /// Returns the first part of that name; null if there is none.
    default @Nullable Part part(String name) {
        for (Part part : parts()) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /// Adds the parts without file names to the parameters.
    void addTo(Parameters parameters);

    /// Deletes the parts' files.
    void close();
}
