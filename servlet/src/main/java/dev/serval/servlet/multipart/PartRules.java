package dev.serval.servlet.multipart;

import dev.serval.servlet.descriptor.MultipartLimits;
import java.nio.charset.Charset;
import java.nio.file.Path;

/// How the parts of one request are read. Immutable.
///
/// @param limits the multipart-config of the servlet
/// @param bounds the limits of the server
/// @param spool the folder for parts above the threshold
/// @param location the folder that relative names of `Part.write` start from: the location of
///     `limits`, resolved
/// @param charset the charset of the request: of heads, and of text whose part names none
public record PartRules(
        MultipartLimits limits,
        MultipartBounds bounds,
        Spool spool,
        Path location,
        Charset charset) {}
