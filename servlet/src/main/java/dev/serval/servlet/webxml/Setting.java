package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.Origin;

/// A declared value and where it was declared. Immutable.
public record Setting<V>(V value, Origin origin) {}
