package dev.serval.servlet.app;

import dev.serval.http.ProtocolError;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.multipart.MultipartBounds;
import dev.serval.servlet.multipart.PartRules;
import dev.serval.servlet.multipart.Parts;
import dev.serval.servlet.multipart.Spool;
import dev.serval.servlet.parameter.MediaType;
import dev.serval.servlet.parameter.ParameterException;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.parameter.Parameters;
import dev.serval.servlet.request.ContentReading;
import dev.serval.servlet.request.RequestParts;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the parts of an application's requests into its spool.
///
/// @param spool the files of parts
/// @param folder the application's temporary folder
/// @param limits limits of text that becomes parameters
/// @param bounds limits of the parts
record UploadReader(Spool spool, Path folder, ParameterLimits limits, MultipartBounds bounds)
        implements ContentReading.Multipart {
    @Override
    public RequestParts read(HttpServletRequest request, MultipartLimits declared)
            throws IOException, ServletException {
        @Nullable String contentType = request.getContentType();
        @Nullable String encoding = request.getCharacterEncoding();
        Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        Parts parts =
                Parts.read(
                        request.getInputStream(),
                        request.getContentLengthLong(),
                        contentType == null ? null : MediaType.parse(contentType),
                        new PartRules(
                                declared,
                                bounds,
                                spool,
                                folder.resolve(declared.location()),
                                charset));
        return new Read(parts, List.copyOf(parts.all()), limits.formMaxBytes());
    }

    /// The parts of one request.
    private record Read(Parts read, Collection<Part> parts, int textMaxBytes)
            implements RequestParts {
        @Override
        public void addTo(Parameters parameters) {
            try {
                @Nullable ProtocolError wrong = read.addTo(parameters, textMaxBytes);
                if (wrong != null) {
                    throw new ParameterException(wrong);
                }
            } catch (IOException e) {
                throw new ParameterException(e);
            }
        }

        @Override
        public void close() {
            read.close();
        }
    }
}
