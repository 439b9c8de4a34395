package dev.serval.examples.osp.message;

/// The limits of a message. Immutable.
///
/// @param messageMaxBytes the largest message, in bytes
/// @param depthMax how deep elements may be nested
/// @param elementsMax the most elements in a message
/// @param componentsMax the most components in a message
/// @param idMaxChars the longest messageId and componentId, in characters
public record MessageLimits(
        int messageMaxBytes, int depthMax, int elementsMax, int componentsMax, int idMaxChars) {
    /// The limits of a server that sets none. A usage message of a real client has 2 kB.
    public static final MessageLimits STANDARD = new MessageLimits(64 << 10, 16, 2_000, 100, 100);
}
