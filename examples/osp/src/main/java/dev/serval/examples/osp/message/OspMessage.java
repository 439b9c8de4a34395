package dev.serval.examples.osp.message;

import java.util.List;

/// A message as it was read. Immutable.
///
/// @param id the attribute `messageId`, which the answer repeats
/// @param components in their order; with a fault, those that were begun before it
/// @param status success, or what is wrong with the whole message
/// @param detail says what is wrong and where; empty if nothing is
public record OspMessage(String id, List<Component> components, OspStatus status, String detail) {
    /// Returns this message with what is wrong with all of it.
    public OspMessage refused(OspStatus why, String explanation) {
        return new OspMessage(id, components, why, explanation);
    }
}
