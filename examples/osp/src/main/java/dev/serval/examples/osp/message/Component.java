package dev.serval.examples.osp.message;

/// One component of a message. Immutable, except for its element.
///
/// @param id the attribute `componentId`, which the answer repeats
/// @param element the component itself
/// @param fault the first critical element that this server does not know; empty if there is none
public record Component(ComponentKind kind, String id, Element element, String fault) {}
