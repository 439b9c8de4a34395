package dev.serval.servlet.request;

import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.parameter.HashKey;
import dev.serval.servlet.parameter.ParameterLimits;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/// How the content of requests is parsed. Immutable.
///
/// @param limits limits of parameters
/// @param key the secret of the parameters' index
/// @param multipart reads parts
public record ContentReading(ParameterLimits limits, HashKey key, Multipart multipart) {
    /// Reads multipart content.
    @FunctionalInterface
    public interface Multipart {
        /// Reads all parts of the request.
        ///
        /// @throws ServletException if the content is not `multipart/form-data`
        /// @throws IllegalStateException if it is beyond a limit
        RequestParts read(HttpServletRequest request, MultipartLimits limits)
                throws IOException, ServletException;
    }
}
