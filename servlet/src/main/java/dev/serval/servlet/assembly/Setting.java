package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.Origin;

/// A declared value and where it was declared. Immutable.
record Setting<V>(V value, Origin origin) {}
