package dev.serval.servlet.descriptor;

/// The multipart-config of a servlet (Servlet 6.1 §8.1.5). Immutable.
///
/// @param location the folder for files, relative to the application's temporary folder; may be
///     empty
/// @param fileMaxBytes limit of one part; -1 for none of its own
/// @param requestMaxBytes limit of the whole content; -1 for none of its own
/// @param fileThresholdBytes size above which a part is written to a file
public record MultipartLimits(
        String location, long fileMaxBytes, long requestMaxBytes, int fileThresholdBytes) {}
